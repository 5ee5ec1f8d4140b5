// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/tournament.hpp"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sched.h>

namespace rokada::lab {

namespace {

using protocol::DriverSettings;
using protocol::EngineDriver;
using protocol::LinkGroup;
using SteadyClock = std::chrono::steady_clock;

std::vector<int> allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) cpus.push_back(cpu);
    return cpus;
}

// The conversation with all engines in one file.
class Conversation {
  public:
    explicit Conversation(const std::string& path) {
        if (!path.empty()) file_.open(path);
    }
    bool wanted() const { return file_.is_open(); }
    void write(const std::string& engine, protocol::Link::Direction direction,
               std::string_view line) {
        const std::chrono::duration<double> time = SteadyClock::now() - begun_;
        const char* mark = direction == protocol::Link::Direction::Out  ? "<"
                           : direction == protocol::Link::Direction::In ? ">"
                                                                        : "!";
        const std::lock_guard lock(mutex_);
        file_ << fmt::format("{:.6f} {} {} {}\n", time.count(), engine, mark, line);
    }

  private:
    std::ofstream file_;
    std::mutex mutex_;
    SteadyClock::time_point begun_ = SteadyClock::now();
};

DriverSettings driver_settings(const EngineSpec& spec, const std::vector<int>& cpus,
                               Conversation& conversation, const std::string& label) {
    DriverSettings settings;
    settings.process = {spec.command, spec.directory, cpus};
    settings.options = spec.options;
    settings.init_lines = spec.init_lines;
    if (conversation.wanted())
        settings.log = [&conversation, label](protocol::Link::Direction direction,
                                              std::string_view line) {
            conversation.write(label, direction, line);
        };
    return settings;
}

// What all slots share while games are played.
struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Pairing> queue;  // games to play, the next one first
    std::size_t next = 0;
    int running = 0;
    bool over = false;  // no slot takes another game
    std::optional<std::string> problem;
};

}  // namespace

// A place where one game is played at a time. Its engines stay for the next game if they can.
class Tournament::Slot {
  public:
    Slot(const Tournament& tournament, int number, std::vector<int> cpus,
         Conversation& conversation)
        : tournament_(tournament),
          number_(number),
          cpus_(std::move(cpus)),
          conversation_(conversation) {
        group_.cancelled = &tournament.cancelled_;
    }
    void clear() { keep_only({}); }

    GameRecord play(const Pairing& pairing, const Opening& opening) {
        const TournamentSettings& settings = tournament_.settings_;
        keep_only({pairing.white, pairing.black});
        PerColor<Seat> seats;
        GameRecord record;
        for (const Color color : kColors) {
            const std::size_t index = color == Color::White ? pairing.white : pairing.black;
            const EngineSpec& spec = settings.engines[index];
            seats[color].spec = &spec;
            record.names[color] = spec.name;
            record.terms[color] = spec.terms;
            const auto problem = ensure_started(index);
            if (problem && record.reason.empty()) {
                record.winner = ~color;
                record.ending = Ending::StartFailure;
                record.reason = fmt::format("{} cannot start: {}",
                                            color == Color::White ? "White" : "Black", *problem);
                record.start = opening.start;
                record.begun = std::chrono::system_clock::now();
            }
        }
        if (record.reason.empty()) {
            seats[Color::White].driver = drivers_.at(pairing.white).get();
            seats[Color::Black].driver = drivers_.at(pairing.black).get();
            record = play_game(seats, opening, settings.chess960, settings.play);
        }
        record.number = pairing.number;
        record.round = pairing.round;
        clean_up(pairing, record);
        return record;
    }

  private:
    std::optional<std::string> ensure_started(std::size_t index) {
        if (drivers_.count(index) > 0) return std::nullopt;
        const EngineSpec& spec = tournament_.settings_.engines[index];
        auto driver = protocol::start_engine(
            spec.protocol,
            driver_settings(spec, cpus_, conversation_, fmt::format("{}#{}", spec.name, number_)),
            group_);
        if (!driver) return driver.error();
        drivers_.emplace(index, std::move(*driver));
        return std::nullopt;
    }
    void keep_only(std::initializer_list<std::size_t> wanted) {
        for (auto it = drivers_.begin(); it != drivers_.end();) {
            if (std::find(wanted.begin(), wanted.end(), it->first) == wanted.end()) {
                it->second->quit();
                it = drivers_.erase(it);
            } else {
                ++it;
            }
        }
    }
    void clean_up(const Pairing& pairing, const GameRecord& record) {
        for (const Color color : kColors) {
            const auto it = drivers_.find(color == Color::White ? pairing.white : pairing.black);
            if (it == drivers_.end()) continue;
            const bool broken = record.culprit == color || record.ending == Ending::Cancelled;
            if (!broken && it->second->reusable() && !tournament_.settings_.restart_engines)
                continue;
            if (!broken) it->second->quit();
            drivers_.erase(it);
        }
    }

    const Tournament& tournament_;
    int number_;
    std::vector<int> cpus_;
    Conversation& conversation_;
    LinkGroup group_;
    std::map<std::size_t, std::unique_ptr<EngineDriver>> drivers_;
};

Tournament::Tournament(TournamentSettings settings) : settings_(std::move(settings)) {}
Tournament::~Tournament() = default;

std::optional<std::string> Tournament::prepare() {
    if (settings_.engines.size() < 2) return std::string("at least two engines are needed");
    if (settings_.resume && settings_.pgn_path.empty()) return std::string("--resume needs --pgn");
    if (settings_.sprt && settings_.engines.size() != 2)
        return std::string("--sprt needs exactly two engines");
    make_names_unique(settings_.engines);
    settings_.openings.chess960 = settings_.chess960;
    auto book = OpeningBook::open(settings_.openings);
    if (!book) return book.error();
    book_ = std::move(*book);
    Conversation silent("");
    for (const EngineSpec& spec : settings_.engines) {
        LinkGroup group;
        auto driver =
            protocol::start_engine(spec.protocol, driver_settings(spec, {}, silent, ""), group);
        if (!driver) return fmt::format("engine '{}': {}", spec.name, driver.error());
        (*driver)->quit();
    }
    return std::nullopt;
}

Result<TournamentResult, std::string> Tournament::run(
    const std::function<void(const Progress&)>& on_progress) {
    std::vector<StoredGame> stored;
    if (!settings_.pgn_path.empty()) {
        file_ = std::make_unique<GameFile>();
        if (settings_.resume) {
            auto games = file_->resume(settings_.pgn_path);
            if (!games) return Error{games.error()};
            stored = std::move(*games);
        } else if (auto problem = file_->create(settings_.pgn_path)) {
            return Error{std::move(*problem)};
        }
    }
    std::map<int, StoredGame> known;
    for (StoredGame& game : stored) known[game.number] = std::move(game);

    Conversation conversation(settings_.log_path);
    // Slots share the processors evenly; with too few of them the system may choose.
    const std::vector<int> cpus = allowed_cpus();
    std::size_t per_slot = 1;
    for (const EngineSpec& spec : settings_.engines)
        per_slot = std::max(per_slot, static_cast<std::size_t>(spec.threads()));
    const auto slots = static_cast<std::size_t>(settings_.concurrency);
    const bool pin = settings_.pin && slots * per_slot <= cpus.size();

    TournamentResult result{TournamentEnd::Complete, Standings(settings_.engines.size()), 0, {}, 0};
    auto schedule = Schedule::make(settings_.schedule);
    GamePoints points;
    Shared shared;
    int played = 0;
    const auto begun = SteadyClock::now();

    const auto report = [&](const GameRecord* last) {
        if (settings_.sprt)
            result.llr =
                log_likelihood_ratio(*settings_.sprt, result.standings.encounter(0, 1).pairs);
        Progress progress{last,          result.standings,           result.planned,
                          result.llr,    SteadyClock::now() - begun, std::nullopt,
                          shared.running};
        if (played > 0)
            progress.left =
                progress.elapsed / played * (result.planned - result.standings.finished());
        on_progress(progress);
        if (settings_.sprt && verdict(*settings_.sprt, *result.llr) != SprtVerdict::Undecided) {
            result.end = TournamentEnd::SprtDecided;
            shared.over = true;
            cancelled_ = true;  // the games still running cannot change the verdict
        }
    };
    // Counts a finished game; the caller holds the lock.
    const auto finish_game = [&](const Pairing& pairing, GameRecord& record) {
        if (record.ending == Ending::Cancelled || shared.over) return;
        if (file_) {
            if (auto problem = file_->append(to_pgn(record, settings_.event))) {
                shared.problem = std::move(*problem);
                shared.over = true;
                return;
            }
        }
        ++played;
        points[static_cast<std::size_t>(pairing.number - 1)] = record.white_points();
        result.standings.add(pairing, record.white_points(), record.ending);
        report(&record);
    };
    const auto work = [&](Slot& slot) {
        std::unique_lock lock(shared.mutex);
        while (!shared.over && !stopping_ && shared.next < shared.queue.size()) {
            const Pairing pairing = shared.queue[shared.next++];
            ++shared.running;
            lock.unlock();
            const auto opening = book_->opening(static_cast<std::uint64_t>(pairing.pair));
            GameRecord record;
            if (opening) record = slot.play(pairing, *opening);
            lock.lock();
            --shared.running;
            if (!opening) {
                shared.problem = opening.error();
                shared.over = true;
            } else {
                finish_game(pairing, record);
            }
        }
        lock.unlock();
        slot.clear();  // engines live no longer than the thread that started them
    };

    std::vector<std::unique_ptr<Slot>> places;
    for (std::size_t i = 0; i < slots; ++i) {
        std::vector<int> own;
        if (pin)
            own.assign(cpus.begin() + static_cast<std::ptrdiff_t>(i * per_slot),
                       cpus.begin() + static_cast<std::ptrdiff_t>((i + 1) * per_slot));
        places.push_back(
            std::make_unique<Slot>(*this, static_cast<int>(i + 1), std::move(own), conversation));
    }
    while (!shared.over && !stopping_) {
        const std::vector<Pairing> stage = schedule->next_stage(points);
        if (stage.empty()) break;
        points.resize(static_cast<std::size_t>(stage.back().number));
        result.planned = stage.back().number;
        shared.queue.clear();
        shared.next = 0;
        for (const Pairing& pairing : stage) {
            const auto done = known.find(pairing.number);
            if (done == known.end()) {
                shared.queue.push_back(pairing);
                continue;
            }
            const StoredGame& game = done->second;
            if (game.white != settings_.engines[pairing.white].name ||
                game.black != settings_.engines[pairing.black].name)
                return Error{fmt::format("'{}' is of another tournament: game {} there is {} v {}",
                                         settings_.pgn_path, game.number, game.white, game.black)};
            const int white = game.result == "1-0" ? 2 : game.result == "0-1" ? 0 : 1;
            points[static_cast<std::size_t>(pairing.number - 1)] = white;
            result.standings.add(pairing, white, ending_from_reason(game.termination));
            ++result.resumed;
        }
        report(nullptr);
        if (shared.over) break;
        std::vector<std::thread> threads;
        for (auto& place : places) threads.emplace_back([&work, &place] { work(*place); });
        for (std::thread& thread : threads) thread.join();
        if (shared.problem) return Error{*shared.problem};
    }
    if (result.end != TournamentEnd::SprtDecided && stopping_) result.end = TournamentEnd::Stopped;
    return result;
}

}  // namespace rokada::lab
