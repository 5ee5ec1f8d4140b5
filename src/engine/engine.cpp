// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include <atomic>

#include "engine/option_list.hpp"
#include "engine/search/pool.hpp"
#include "engine/threads.hpp"

namespace rokada::engine {

// Two locks: `state` guards what callers set and is held for moments only; `searching` is held by
// whoever uses the pool. Nothing of the pool changes while a search runs: changes wait in the
// runner's queue.
struct Engine::Impl {
    explicit Impl(Callbacks c) : callbacks(std::move(c)) {
        pool.resize_table(options.settings().hash_megabytes);
    }

    // A search that has been asked for. Searches are numbered, so that a stop reaches those asked
    // for before it and no others, whether they have begun or not.
    struct Task {
        std::uint64_t number = 0;
        SearchRequest request;
        Settings settings;
    };

    Task make_task(const Limits& limits);
    BestMove run(const Task& task);
    void change_pool(const std::function<void()>& change);

    Callbacks callbacks;

    mutable Mutex state;
    OptionList options;
    std::shared_ptr<const Network> network = Network::embedded();
    Position position;
    std::vector<Key> past_keys;
    std::uint64_t last_task = 0;
    std::uint64_t stopped_task = 0;  // this one and all before it shall stop
    std::uint64_t hit_task = 0;      // this one and all before it ponder no more
    std::atomic<int> waiting{0};     // searches asked for and not finished

    Mutex searching;
    SearchPool pool;
    Runner runner;  // last: its thread must end before the rest goes
};

Engine::Impl::Task Engine::Impl::make_task(const Limits& limits) {
    const auto now = TimeManager::Clock::now();
    Lock lock(state);
    // A new search replaces one that is still running.
    if (waiting > 0) {
        stopped_task = last_task;
        pool.stop();
    }
    ++waiting;
    Task task;
    task.number = ++last_task;
    task.settings = options.settings();
    task.request.position = position;
    task.request.past_keys = past_keys;
    task.request.limits = limits;
    task.request.multipv = task.settings.multipv;
    task.request.contempt = task.settings.contempt;
    task.request.overhead = task.settings.overhead;
    if (task.settings.network) task.request.network = network;
    task.request.start = now;
    return task;
}

BestMove Engine::Impl::run(const Task& task) {
    BestMove best;
    {
        Lock running(searching);
        {
            Lock lock(state);
            pool.prepare(task.number <= stopped_task,
                         task.request.limits.ponder && task.number > hit_task);
        }
        best = pool.search(task.request, callbacks.on_info);
    }
    --waiting;
    if (callbacks.on_best_move) callbacks.on_best_move(best);
    return best;
}

// Changes to the pool take their turn among the searches.
void Engine::Impl::change_pool(const std::function<void()>& change) {
    runner.post([this, change] {
        Lock running(searching);
        change();
    });
}

Engine::Engine(Callbacks callbacks) : impl_(std::make_unique<Impl>(std::move(callbacks))) {}

Engine::~Engine() { stop(); }

std::vector<Option> Engine::options() const {
    Lock lock(impl_->state);
    return impl_->options.all();
}

std::optional<std::string> Engine::set_option(std::string_view name, std::string_view value) {
    Impl& impl = *impl_;
    Settings before, after;
    bool clear = false;
    {
        Lock lock(impl.state);
        before = impl.options.settings();
        if (const Option* option = impl.options.find(name); option && option->name == "EvalFile") {
            auto network = Network::from_file(std::string(value));
            if (!network) return network.error();
            impl.network = *network;
        }
        if (auto error = impl.options.set(name, value)) return error;
        after = impl.options.settings();
        clear = impl.options.find(name)->name == "Clear Hash";
    }
    if (clear) impl.change_pool([&impl] { impl.pool.clear_table(); });
    if (after.hash_megabytes != before.hash_megabytes)
        impl.change_pool([&impl, size = after.hash_megabytes] {
            if (!impl.pool.resize_table(size) && impl.callbacks.on_message)
                impl.callbacks.on_message("there is not enough memory for a Hash of " +
                                          std::to_string(size) + " MB; searching with almost none");
        });
    if (after.threads != before.threads)
        impl.change_pool([&impl, count = after.threads] { impl.pool.set_threads(count); });
    return std::nullopt;
}

std::optional<std::string> Engine::load_network(const unsigned char* bytes, std::size_t size) {
    auto network = Network::load(bytes, size);
    if (!network) return network.error();
    Lock lock(impl_->state);
    impl_->network = *network;
    return std::nullopt;
}

void Engine::set_position(const Position& start, const std::vector<Move>& moves) {
    Position position = start;
    std::vector<Key> keys;
    for (const Move m : moves) {
        keys.push_back(position.key());
        position.play(m);
        // Nothing before a capture or pawn move can come again.
        if (position.halfmove_clock() == 0) keys.clear();
    }
    Lock lock(impl_->state);
    impl_->position = position;
    impl_->past_keys = std::move(keys);
}

Position Engine::position() const {
    Lock lock(impl_->state);
    return impl_->position;
}

void Engine::go(const Limits& limits) {
    auto task = std::make_shared<const Impl::Task>(impl_->make_task(limits));
    impl_->runner.post([impl = impl_.get(), task] { impl->run(*task); });
}

BestMove Engine::think(const Limits& limits) { return impl_->run(impl_->make_task(limits)); }

void Engine::stop() {
    Lock lock(impl_->state);
    impl_->stopped_task = impl_->last_task;
    impl_->pool.stop();
}

void Engine::ponder_hit() {
    Lock lock(impl_->state);
    impl_->hit_task = impl_->last_task;
    impl_->pool.ponder_hit();
}

void Engine::new_game() {
    Impl& impl = *impl_;
    impl.change_pool([&impl] { impl.pool.clear(); });
}

void Engine::wait() { impl_->runner.wait(); }

bool Engine::searching() const { return impl_->waiting > 0; }

}  // namespace rokada::engine
