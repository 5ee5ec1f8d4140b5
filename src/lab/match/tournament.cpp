// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/tournament.hpp"

#include <algorithm>
#include <fstream>
#include <mutex>
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
                // A start that we broke off ourselves is nobody's failure.
                record.ending = tournament_.cancelled_ ? Ending::Cancelled : Ending::StartFailure;
                record.reason = fmt::format("{} cannot start: {}",
                                            color == Color::White ? "White" : "Black", *problem);
                record.start = opening.start;
                record.chess960 = settings.chess960;
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
    if (settings_.elsewhere) return std::nullopt;  // the engines are not here
    if (!settings_.log_path.empty() && !std::ofstream(settings_.log_path, std::ios::app))
        return fmt::format("cannot write '{}'", settings_.log_path);
    Conversation silent("");
    for (const EngineSpec& spec : settings_.engines) {
        if (spec.protocol == protocol::EngineProtocol::Xboard && spec.terms.nodes)
            return fmt::format("engine '{}': the xboard protocol knows no limit of nodes",
                               spec.name);
        LinkGroup group;
        auto driver =
            protocol::start_engine(spec.protocol, driver_settings(spec, {}, silent, ""), group);
        if (!driver) return fmt::format("engine '{}': {}", spec.name, driver.error());
        const auto opening = book_->opening(0);
        if (!opening) return opening.error();
        auto problem = (*driver)->new_game({opening->start, settings_.chess960, spec.terms, ""});
        (*driver)->quit();
        if (problem) return fmt::format("engine '{}': {}", spec.name, *problem);
    }
    return std::nullopt;
}

Result<std::vector<FinishedGame>, std::string> Tournament::play_games(
    const std::vector<Pairing>& games, const Opening& opening,
    const std::function<void(std::size_t done)>& on_done) {
    Conversation conversation(settings_.log_path);
    Slot slot(*this, 1, {}, conversation);
    std::vector<FinishedGame> finished;
    for (const Pairing& pairing : games) {
        GameRecord record = slot.play(pairing, opening);
        if (record.ending == Ending::Cancelled) return Error{std::string("stopped")};
        if (record.ending == Ending::StartFailure) return Error{record.reason};
        std::string pgn = to_pgn(record, settings_.event);
        record.moves.clear();
        finished.push_back({std::move(record), std::move(pgn)});
        if (on_done) on_done(finished.size());
    }
    slot.clear();
    return finished;
}

// The state of a tournament while it runs. The slots' threads share it under one lock.
class Tournament::Run {
  public:
    Run(Tournament& tournament, const std::function<void(const Progress&)>& on_progress)
        : tournament_(tournament),
          settings_(tournament.settings_),
          on_progress_(on_progress),
          conversation_(settings_.log_path),
          schedule_(Schedule::make(settings_.schedule)),
          result_(settings_.engines.size()) {}

    Result<TournamentResult, std::string> play() {
        if (auto problem = open_file()) return Error{std::move(*problem)};
        make_slots();
        while (!over_ && !tournament_.stopping_) {
            const std::vector<Pairing> stage = schedule_->next_stage(points_);
            if (stage.empty()) break;
            if (auto problem = prepare_stage(stage)) return Error{std::move(*problem)};
            std::vector<std::thread> threads;
            if (!over_)
                for (auto& slot : slots_)
                    threads.emplace_back(
                        [this, &slot] { settings_.elsewhere ? send() : work(*slot); });
            for (std::thread& thread : threads) thread.join();
            if (problem_) return Error{*problem_};
        }
        if (result_.end != TournamentEnd::SprtDecided && tournament_.stopping_)
            result_.end = TournamentEnd::Stopped;
        result_.elapsed = SteadyClock::now() - begun_;
        return result_;
    }

  private:
    std::optional<std::string> open_file() {
        if (settings_.pgn_path.empty()) return std::nullopt;
        file_.emplace();
        if (!settings_.resume) return file_->create(settings_.pgn_path);
        auto games = file_->resume(settings_.pgn_path);
        if (!games) return games.error();
        for (StoredGame& game : *games) stored_[game.number] = std::move(game);
        return std::nullopt;
    }

    // Slots share the processors evenly; with too few of them the system may choose.
    void make_slots() {
        const std::vector<int> cpus = allowed_cpus();
        std::size_t each = 1;
        for (const EngineSpec& spec : settings_.engines)
            each = std::max(each, static_cast<std::size_t>(spec.threads()));
        const auto count = static_cast<std::size_t>(settings_.concurrency);
        const bool pin = settings_.pin && count * each <= cpus.size();
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<int> own;
            for (std::size_t k = 0; pin && k < each; ++k) own.push_back(cpus[i * each + k]);
            slots_.push_back(std::make_unique<Slot>(tournament_, static_cast<int>(i + 1),
                                                    std::move(own), conversation_));
        }
    }

    // What shows that a stored game was not played for this tournament.
    std::optional<std::string> difference(const Pairing& pairing, const StoredGame& game) const {
        const EngineSpec& white = settings_.engines[pairing.white];
        const EngineSpec& black = settings_.engines[pairing.black];
        if (game.white != white.name || game.black != black.name)
            return fmt::format("is {} v {}, not {} v {}", game.white, game.black, white.name,
                               black.name);
        for (const Color color : kColors) {
            const EngineSpec& spec = color == Color::White ? white : black;
            const std::string control = to_text(spec.terms), limits = move_limits(spec.terms);
            if (game.time_control[color] != control)
                return fmt::format("has the time control {} for {}, not {}",
                                   game.time_control[color], spec.name, control);
            if (game.move_limits[color] != limits)
                return fmt::format("limits the moves of {} by '{}', not by '{}'", spec.name,
                                   game.move_limits[color], limits);
        }
        if (game.variant.empty() == settings_.chess960)
            return fmt::format("is {}, not {}", settings_.chess960 ? "standard" : "chess960",
                               settings_.chess960 ? "chess960" : "standard");
        const auto opening = tournament_.book_->opening(static_cast<std::uint64_t>(pairing.pair));
        if (!opening) return std::nullopt;
        // A game that ended within its opening does not have all of it.
        const std::vector<Move>&wanted = opening->moves, &played = game.opening.moves;
        const bool begins = played.size() <= wanted.size() &&
                            std::equal(played.begin(), played.end(), wanted.begin());
        if (!(game.opening.start == opening->start) || !begins ||
            (game.has_own_moves && played.size() < wanted.size()))
            return std::string("has another opening");
        return std::nullopt;
    }

    // Takes over the games that are in the file already and queues the others.
    std::optional<std::string> prepare_stage(const std::vector<Pairing>& stage) {
        result_.planned = stage.back().number;
        points_.resize(static_cast<std::size_t>(result_.planned));
        queue_.clear();
        early_.clear();
        next_ = counted_ = 0;
        for (const Pairing& pairing : stage) {
            const auto found = stored_.find(pairing.number);
            if (found == stored_.end()) {
                queue_.push_back(pairing);
                continue;
            }
            const StoredGame& game = found->second;
            if (const auto problem = difference(pairing, game))
                return fmt::format("'{}' is of another tournament: game {} there {}",
                                   settings_.pgn_path, game.number, *problem);
            const int points = game.result == "1-0" ? 2 : game.result == "0-1" ? 0 : 1;
            count(pairing, points, ending_from_reason(game.termination));
            ++result_.resumed;
        }
        report(nullptr);
        return std::nullopt;
    }

    void work(Slot& slot) {
        std::unique_lock lock(mutex_);
        while (!over_ && !tournament_.stopping_ && next_ < queue_.size()) {
            const Pairing pairing = queue_[next_++];
            ++running_;
            lock.unlock();
            const auto opening =
                tournament_.book_->opening(static_cast<std::uint64_t>(pairing.pair));
            GameRecord record;
            if (opening) record = slot.play(pairing, *opening);
            lock.lock();
            --running_;
            if (opening)
                finish_game(pairing, record,
                            file_ ? to_pgn(record, settings_.event) : std::string());
            else
                give_up(opening.error());
        }
        lock.unlock();
        slot.clear();  // engines live no longer than the thread that started them
    }

    // The same with games played elsewhere, those of one opening at a time.
    void send() {
        std::unique_lock lock(mutex_);
        while (!over_ && !tournament_.stopping_ && next_ < queue_.size()) {
            const std::size_t first = next_;
            std::vector<Pairing> games;
            while (next_ < queue_.size() && queue_[next_].pair == queue_[first].pair)
                games.push_back(queue_[next_++]);
            running_ += static_cast<int>(games.size());
            lock.unlock();
            const auto opening =
                tournament_.book_->opening(static_cast<std::uint64_t>(games.front().pair));
            Result<std::vector<FinishedGame>, std::string> played = Error{std::string("")};
            if (opening)
                played = settings_.elsewhere(settings_, games, *opening, tournament_.cancelled_);
            lock.lock();
            running_ -= static_cast<int>(games.size());
            if (over_ || tournament_.cancelled_) return;
            if (!opening || !played) return give_up(opening ? played.error() : opening.error());
            early_[first] = std::move(*played);
            count_in_order();
        }
    }
    void count_in_order() {
        for (auto at = early_.find(counted_); at != early_.end(); at = early_.find(counted_)) {
            const std::vector<FinishedGame> games = std::move(at->second);
            early_.erase(at);
            for (const FinishedGame& game : games)
                finish_game(queue_[counted_++], game.record, game.pgn);
        }
    }

    // A game counts once it is on disk.
    void finish_game(const Pairing& pairing, const GameRecord& record, const std::string& pgn) {
        if (record.ending == Ending::Cancelled || over_) return;
        if (file_)
            if (auto problem = file_->append(pgn)) return give_up(*problem);
        ++played_;
        for (const Color color : kColors) result_.thinking += record.thinking[color];
        count(pairing, record.white_points(), record.ending);
        report(&record);
    }
    void count(const Pairing& pairing, int points, Ending ending) {
        points_[static_cast<std::size_t>(pairing.number - 1)] = points;
        result_.standings.add(pairing, points, ending);
    }
    void give_up(std::string problem) {
        problem_ = std::move(problem);
        over_ = true;
    }

    void report(const GameRecord* last) {
        if (settings_.sprt)
            result_.llr =
                log_likelihood_ratio(*settings_.sprt, result_.standings.encounter(0, 1).pairs);
        Progress progress{last,        result_.standings,           result_.planned,
                          result_.llr, SteadyClock::now() - begun_, std::nullopt,
                          running_};
        if (played_ > 0)
            progress.left =
                progress.elapsed / played_ * (result_.planned - result_.standings.finished());
        if (on_progress_) on_progress_(progress);
        if (settings_.sprt && verdict(*settings_.sprt, *result_.llr) != SprtVerdict::Undecided) {
            result_.end = TournamentEnd::SprtDecided;
            over_ = true;
            tournament_.cancelled_ = true;  // the games still running cannot change the verdict
        }
    }

    Tournament& tournament_;
    const TournamentSettings& settings_;
    const std::function<void(const Progress&)>& on_progress_;
    Conversation conversation_;
    std::unique_ptr<Schedule> schedule_;
    std::optional<GameFile> file_;
    std::map<int, StoredGame> stored_;  // by number: games of an earlier run
    std::vector<std::unique_ptr<Slot>> slots_;
    const SteadyClock::time_point begun_ = SteadyClock::now();

    std::mutex mutex_;
    std::vector<Pairing> queue_;  // games of the stage still to be played, from next_ on
    std::size_t next_ = 0;
    std::map<std::size_t, std::vector<FinishedGame>> early_;  // of send, by place in the queue
    std::size_t counted_ = 0;
    GamePoints points_;
    TournamentResult result_;
    int running_ = 0, played_ = 0;
    bool over_ = false;  // no slot takes another game
    std::optional<std::string> problem_;
};

Result<TournamentResult, std::string> Tournament::run(
    const std::function<void(const Progress&)>& on_progress) {
    return Run(*this, on_progress).play();
}

}  // namespace rokada::lab
