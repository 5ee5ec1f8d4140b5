// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "engine/book/book.hpp"
#include "engine/evaluation/weights_checksum.hpp"
#include "engine/levels/pace.hpp"
#include "engine/levels/weak_player.hpp"
#include "engine/option_list.hpp"
#include "engine/search/hash_file.hpp"
#include "engine/search/pool.hpp"
#include "engine/threads.hpp"

namespace rokada::engine {

namespace {

// Different for every game and engine; nothing that must be hard to guess hangs on it.
std::uint64_t new_seed() {
    static std::atomic<std::uint64_t> counter{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return mix_bits(static_cast<std::uint64_t>(now)) + ++counter;
}

PolyglotBook open_built_in_book() {
    const auto book = open_book(kBuiltInBook);
    return book ? *book : PolyglotBook();
}

Score weak_score(const WeakMove& found) {
    if (found.score > 29000) return Score::mate_in((30000 - found.score + 1) / 2);
    if (found.score < -29000) return Score::mated_in((30000 + found.score) / 2);
    return Score::centipawns(found.score);
}

}  // namespace

// Two locks: `state` guards what callers set and is held for moments only; `searching` is held by
// whoever uses the pool. Nothing of the pool changes while a search runs: changes wait in the
// runner's queue.
struct Engine::Impl {
    explicit Impl(Callbacks c) : callbacks(std::move(c)) {
        pool.resize_table(options.settings().hash_megabytes);
        pool.set_move_report(callbacks.on_current_move);
    }

    // A search that has been asked for. Searches are numbered, so that a stop reaches those asked
    // for before it and no others, whether they have begun or not.
    struct Task {
        std::uint64_t number = 0;
        SearchRequest request;
        Settings settings;
        Move last, own_last;     // of the game, before the position
        std::uint64_t seed = 0;  // of the game
        PolyglotBook book;
        std::shared_ptr<const Network> level_network;  // whatever the user chose to judge by
    };

    Task make_task(const Limits& limits);
    BestMove run(const Task& task);
    BestMove play_level(const Task& task, int dial);
    // Until a person would have found the move, if that is wanted.
    void pause(const Task& task, Move move);
    void change_pool(const std::function<void()>& change);
    std::optional<Move> book_move(const Task& task) const;
    BestMove play_book(const Task& task, Move move);
    std::optional<std::string> open_file_of(const std::string& option, const std::string& value);
    void press(const std::string& button);
    std::string evaluation_in_use() const;
    void forget_judgements_of_another(const std::string& before);
    std::optional<std::string> open_tablebases(const std::string& folders);
    void tell(const std::string& message) const {
        if (callbacks.on_message) callbacks.on_message(message);
    }

    Callbacks callbacks;

    mutable Mutex state;
    OptionList options;
    std::shared_ptr<const Network> network = Network::embedded();
    std::shared_ptr<const Tablebases> tablebases;
    PolyglotBook book = open_built_in_book();
    Position position;
    std::vector<Key> past_keys;
    Move last, own_last;
    std::uint64_t game_seed = new_seed();
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
    if (task.settings.probe_limit > 0) task.request.tablebases = tablebases;
    task.request.probe_depth = task.settings.probe_depth;
    task.request.probe_limit = task.settings.probe_limit;
    task.request.fifty_move_rule = task.settings.fifty_move_rule;
    task.request.start = now;
    task.last = last;
    task.own_last = own_last;
    if (task.settings.dial || task.settings.own_book) task.book = book;
    task.seed = task.settings.seed ? task.settings.seed : game_seed;
    // A level is measured with the network of the program; only the browser's has none inside.
    task.level_network = Network::embedded();
    if (!task.level_network) task.level_network = network;
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
        const bool analysis = task.request.limits.infinite || task.request.limits.mate;
        if (const auto move = book_move(task))
            best = play_book(task, *move);
        else if (task.request.limits.mate)
            best = pool.prove_mate(task.request, callbacks.on_info, callbacks.on_message);
        else
            best = task.settings.dial && !analysis ? play_level(task, *task.settings.dial)
                                                   : pool.search(task.request, callbacks.on_info);
    }
    --waiting;
    if (callbacks.on_best_move) callbacks.on_best_move(best);
    return best;
}

// Whoever analyses wants to know, not to follow.
std::optional<Move> Engine::Impl::book_move(const Task& task) const {
    const Limits& limits = task.request.limits;
    const Position& root = task.request.position;
    if (limits.infinite || limits.mate || !limits.search_moves.empty()) return std::nullopt;
    if (task.settings.dial) {
        const int plies = 2 * (root.fullmove_number() - 1) + index(root.turn());
        if (plies >= book_plies(*task.settings.dial)) return std::nullopt;
    }
    return task.book.random(root, mix_bits(task.seed ^ root.key()));
}

BestMove Engine::Impl::play_book(const Task& task, Move move) {
    Info info;
    info.depth = info.selective_depth = 1;
    info.line = {move};
    info.chances = win_chances(info.score, task.request.position);
    if (callbacks.on_info) callbacks.on_info(info);
    pool.hold_answer(task.request.limits);
    if (task.settings.dial) pause(task, move);
    return {move, Move()};
}

BestMove Engine::Impl::play_level(const Task& task, int dial) {
    Profile profile = profile_for_dial(dial);
    SearchRequest request = task.request;
    Limits& limits = request.limits;
    const auto budget = TimeManager::budget(limits, request.position.turn(), request.overhead);
    if (profile.main_search() && knows_mate(request.position, profile))
        profile.nodes = std::max(profile.nodes, kMainTechniqueNodes);
    // The same strength at every clock. The small searcher knows no clock and gets fewer nodes where there is no time at
    // all; the main search breaks off at its hard limit.
    constexpr int nodes_per_millisecond = 200;
    if (budget && !profile.main_search())
        while (profile.nodes > 50 &&
               profile.nodes > nodes_per_millisecond *
                                   std::chrono::duration_cast<Milliseconds>(budget->hard).count())
            profile.nodes /= 2;
    MoveList allowed;
    for (const Move m : legal_moves(request.position)) {
        const auto& wanted = limits.search_moves;
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), m) != wanted.end())
            allowed.push(m);
    }
    if (!profile.main_search() && !allowed.empty()) {
        const WeakMove found = choose_weak_move(
            {request.position, request.past_keys, task.last, task.own_last, task.seed}, profile,
            allowed);
        Info info;
        info.depth = info.selective_depth = std::max(found.depth, 1);
        info.score = weak_score(found);
        info.chances = win_chances(info.score, request.position);
        info.nodes = found.nodes;
        info.line = {found.move};
        if (callbacks.on_info) callbacks.on_info(info);
        pool.hold_answer(limits);
        pause(task, found.move);
        return {found.move, Move()};
    }
    // A number of nodes, and time only as the last resort.
    if (budget)
        limits.move_time =
            std::chrono::duration_cast<Milliseconds>(budget->hard) + request.overhead;
    limits.clock.reset();
    const auto nodes = static_cast<std::uint64_t>(profile.nodes);
    limits.nodes = std::min(limits.nodes.value_or(nodes), nodes);
    request.multipv = 1;
    request.from_scratch = true;
    request.network = profile.network() ? task.level_network : nullptr;
    request.contempt = 0;
    request.tablebases.reset();
    const BestMove best = pool.search(request, callbacks.on_info);
    pause(task, best.move);
    return best;
}

void Engine::Impl::pause(const Task& task, Move move) {
    if (!task.settings.human_pace || move.none() || task.request.limits.ponder) return;
    const auto pace =
        human_pace({task.request.position, task.last, task.request.limits.clock, task.seed}, move);
    pool.pause(task.request.start + pace);
}

// Changes to the pool take their turn among the searches.
void Engine::Impl::change_pool(const std::function<void()>& change) {
    runner.post([this, change] {
        Lock running(searching);
        change();
    });
}

// Opening many files takes a while; nothing is locked meanwhile.
std::optional<std::string> Engine::Impl::open_tablebases(const std::string& folders) {
    std::shared_ptr<const Tablebases> opened;
    if (!folders.empty() && folders != "<empty>") {
        auto tables = Tablebases::open(folders);
        if (!tables) return tables.error();
        opened = *tables;
        constexpr std::size_t most = 10;
        const auto& problems = opened->problems();
        for (std::size_t i = 0; i < problems.size() && i < most; ++i) tell(problems[i]);
        if (problems.size() > most)
            tell("and " + std::to_string(problems.size() - most) + " more tablebases are not used");
        tell("found " + std::to_string(opened->result_tables()) + " tablebases of results and " +
             std::to_string(opened->distance_tables()) + " of distances, up to " +
             std::to_string(opened->largest()) + " men");
        if (opened->largest() == 0) opened.reset();
    }
    Lock lock(state);
    tablebases = std::move(opened);
    return std::nullopt;
}

Engine::Engine(Callbacks callbacks) : impl_(std::make_unique<Impl>(std::move(callbacks))) {}

Engine::~Engine() { stop(); }

std::vector<Option> Engine::options() const {
    Lock lock(impl_->state);
    return impl_->options.all();
}

// What an option needs besides its value: files are opened before it is set, and nothing is locked meanwhile.
std::optional<std::string> Engine::Impl::open_file_of(const std::string& option,
                                                      const std::string& value) {
    if (option == "SyzygyPath") return open_tablebases(value);
    if (option == "EvalFile") {
        auto opened = Network::from_file(value);
        if (!opened) return opened.error();
        Lock lock(state);
        network = *opened;
    }
    if (option == "BookFile") {
        auto opened = open_book(value);
        if (!opened) return opened.error();
        Lock lock(state);
        book = *opened;
    }
    return std::nullopt;
}

// Who judges positions, told apart from all others; `state` must be locked.
std::string Engine::Impl::evaluation_in_use() const {
    if (options.settings().network && network)
        return "network " + std::to_string(network->checksum());
    return "classical " + std::to_string(weights_checksum(kWeights, kDanger));
}

// Table and correction histories hold what one evaluation thought of the positions; to another they are wrong.
void Engine::Impl::forget_judgements_of_another(const std::string& before) {
    {
        Lock lock(state);
        if (evaluation_in_use() == before) return;
    }
    change_pool([this] { pool.clear(); });
}

void Engine::Impl::press(const std::string& button) {
    if (button == "Clear Hash") change_pool([this] { pool.clear_table(); });
    if (button != "SaveHash" && button != "LoadHash") return;
    std::string path, evaluation;
    {
        Lock lock(state);
        path = options.find("HashFile")->value;
        evaluation = evaluation_in_use();
    }
    if (path.empty()) return tell("set HashFile first: the name of a file");
    change_pool([this, path, evaluation, save = button == "SaveHash"] {
        const auto problem = save ? save_table(pool.table(), evaluation, path)
                                  : load_table(pool.table(), evaluation, path);
        tell(problem ? *problem : path + (save ? " is saved" : " is loaded"));
    });
}

std::optional<std::string> Engine::set_option(std::string_view name, std::string_view value) {
    Impl& impl = *impl_;
    Settings before, after;
    std::string option, evaluation;
    bool button = false;
    {
        Lock lock(impl.state);
        evaluation = impl.evaluation_in_use();
        if (const Option* const found = impl.options.find(name)) {
            option = found->name;
            button = found->type == OptionType::Button;
        }
    }
    if (auto error = impl.open_file_of(option, std::string(value))) return error;
    {
        Lock lock(impl.state);
        before = impl.options.settings();
        if (auto error = impl.options.set(name, value)) return error;
        after = impl.options.settings();
    }
    impl.forget_judgements_of_another(evaluation);
    if (button) impl.press(option);
    if (after.hash_megabytes != before.hash_megabytes)
        impl.change_pool([&impl, size = after.hash_megabytes] {
            if (!impl.pool.resize_table(size))
                impl.tell("there is not enough memory for a Hash of " + std::to_string(size) +
                          " MB; searching with almost none");
        });
    if (after.threads != before.threads)
        impl.change_pool([&impl, count = after.threads] {
            const int there = impl.pool.set_threads(count);
            if (there < std::min(count, available_threads()))
                impl.tell("there is not enough memory, or not enough room for threads, for " +
                          std::to_string(count) + " Threads; searching with " +
                          std::to_string(there));
        });
    return std::nullopt;
}

std::optional<std::string> Engine::load_network(const unsigned char* bytes, std::size_t size) {
    auto network = Network::load(bytes, size);
    if (!network) return network.error();
    std::string before;
    {
        Lock lock(impl_->state);
        before = impl_->evaluation_in_use();
        impl_->network = *network;
    }
    impl_->forget_judgements_of_another(before);
    return std::nullopt;
}

void Engine::set_position(const Position& start, const std::vector<Move>& moves) {
    Position position = start;
    std::vector<Key> keys;
    Move last, own_last;
    for (const Move m : moves) {
        keys.push_back(position.key());
        own_last = last;
        last = m;
        position.play(m);
        // Nothing before a capture or pawn move can come again.
        if (position.halfmove_clock() == 0) keys.clear();
    }
    Lock lock(impl_->state);
    impl_->position = position;
    impl_->past_keys = std::move(keys);
    impl_->last = last;
    impl_->own_last = own_last;
}

Position Engine::position() const {
    Lock lock(impl_->state);
    return impl_->position;
}

std::vector<BookMove> Engine::book_moves(const Position& position) const {
    PolyglotBook book;
    {
        Lock lock(impl_->state);
        book = impl_->book;
    }
    return book.moves(position);
}

bool Engine::remembers(const Position& position) const {
    impl_->runner.wait();  // a new game that was asked for has forgotten everything
    Lock running(impl_->searching);
    TableEntry entry;
    return impl_->pool.table().probe(position.key(), 0, entry);
}

void Engine::go(const Limits& limits) {
    auto task = std::make_shared<const Impl::Task>(impl_->make_task(limits));
    impl_->runner.post([impl = impl_.get(), task] { impl->run(*task); });
}

BestMove Engine::think(const Limits& limits) {
    const Impl::Task task = impl_->make_task(limits);
    impl_->runner.wait();  // what was asked for before comes first: an option, a new game
    return impl_->run(task);
}

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
    {
        Lock lock(impl.state);
        impl.game_seed = new_seed();
    }
    impl.change_pool([&impl] { impl.pool.clear(); });
}

void Engine::wait() { impl_->runner.wait(); }

bool Engine::searching() const { return impl_->waiting > 0; }

}  // namespace rokada::engine
