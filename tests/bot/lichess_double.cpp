// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bot/lichess_double.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::bot::test {

using namespace std::chrono_literals;

namespace {

constexpr auto kClock = 60'000ms;
constexpr auto kKeepAlive = 200ms;
constexpr const char* kNoTime = "2147483647";

// The ways a game may end before the board decides it; the winner is the bot, its opponent or nobody.
struct Ending {
    const char* status;
    char winner;  // b: bot, o: opponent, n: nobody
};
constexpr Ending kEndings[] = {
    {"resign", 'b'},  {"outoftime", 'b'},  {"draw", 'n'},      {"timeout", 'b'},
    {"cheat", 'b'},   {"aborted", 'n'},    {"stalemate", 'n'}, {"unknownFinish", 'n'},
    {"noStart", 'b'}, {"variantEnd", 'o'},
};

std::string quote(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

struct LichessDouble::Play {
    std::string id;
    Game game{Position(), DrawRule::Claim};
    std::string fen = "startpos", variant = "standard";
    Color bot = Color::White;
    bool has_clock = true;
    std::vector<std::string> moves;
    PerColor<std::chrono::milliseconds> left{};
    net::Clock::time_point turn_began;
    std::string status = "started", winner;
    bool draw_offered = false, takeback_offered = false, opponent_pending = false;
    bool turn_taken_away = false;  // by a takeback, until the opponent has moved
    std::size_t length = 0;        // plies until it ends some other way
    Ending ending{};
    net::Stream stream;
    bool silent = false;  // the stream says nothing more and does not end
    bool gone = false;    // the opponent

    bool running() const { return status == "started"; }
    bool bots_turn() const { return game.position().turn() == bot; }
};

LichessDouble::LichessDouble(Faults faults, std::uint64_t seed) : faults_(faults), random_(seed) {
    net::ServerOptions options;
    const auto tls = net::TlsServerContext::load(certificate_.certificate(), certificate_.key());
    EXPECT_TRUE(tls);
    options.tls = *tls;
    server_ = std::make_unique<net::test::TestServer>(
        [this](net::Router& router) { add_routes(router); }, std::move(options), 1, true);
    const std::lock_guard lock(mutex_);
    keep_alive();
}

LichessDouble::LichessDouble(Plan plan, std::string title) : LichessDouble(Faults{}) {
    const std::lock_guard lock(mutex_);
    plan_ = std::move(plan);
    title_ = std::move(title);
}

LichessDouble::~LichessDouble() { server_.reset(); }

bool LichessDouble::chance(double probability) {
    return std::uniform_real_distribution<double>(0, 1)(random_) < probability;
}

// The task runs with the mutex held.
void LichessDouble::after(std::chrono::milliseconds delay, net::Task task) {
    timers_.push_back(std::make_unique<net::Timer>(server_->loops.executor(0)));
    timers_.back()->start(delay, [this, task = std::move(task)] {
        const std::lock_guard lock(mutex_);
        task();
    });
}

bool LichessDouble::known(const net::RequestPtr& request, const net::Responder& responder) {
    if (request->header("Authorization") == std::string("Bearer ") + kToken) return true;
    ++report_.unauthorized;
    responder.send(net::Response::json_text(401, R"({"error":"No such token"})"));
    return false;
}

void LichessDouble::keep_alive() {
    if (events_ && !events_silent_) events_.write("\n");
    for (const auto& [id, play] : plays_)
        if (play->stream && !play->silent) play->stream.write("\r\n");
    after(kKeepAlive, [this] { keep_alive(); });
}

LichessDouble::Play* LichessDouble::find(const net::RequestPtr& request,
                                         const net::Responder& responder) {
    const auto found = plays_.find(std::string(request->param("id")));
    if (found != plays_.end()) return found->second.get();
    responder.send(net::Response::json_text(404, R"({"error":"No such game"})"));
    return nullptr;
}

// Says so at once, or late: under or over the patience of the bot.
void LichessDouble::done(const net::Responder& responder) {
    const auto say = [responder] {
        responder.send(net::Response::json_text(200, R"({"ok":true})"));
    };
    if (!faults_.answers || !chance(0.04)) return say();
    ++report_.faults;
    after(chance(0.5) ? 1500ms : 300ms, say);
}

// Refuses without having done anything.
bool LichessDouble::trouble(const net::Responder& responder) {
    if (!faults_.answers || !chance(0.08)) return false;
    ++report_.faults;
    auto limited = net::Response::json_text(
        429, R"({"error":"Too many requests","ratelimit":{"key":"x","seconds":1}})");
    switch (random_() % 4) {
        case 0: responder.send(limited.with("Retry-After", "0")); break;
        case 1: responder.send(limited); break;
        case 2: responder.send(net::Response::text(503, "upstream is away")); break;
        default:  // no answer within the patience of the bot
            after(1500ms, [responder] { responder.send(net::Response::text(504, "late")); });
    }
    return true;
}

void LichessDouble::add_routes(net::Router& router) {
    const auto guarded = [this](auto method) {
        return [this, method](const net::RequestPtr& request, const net::Responder& responder) {
            const std::lock_guard lock(mutex_);
            if (known(request, responder)) (this->*method)(request, responder);
        };
    };
    const auto simple = [this](auto work) {
        return [this, work](const net::RequestPtr& request, const net::Responder& responder) {
            const std::lock_guard lock(mutex_);
            if (known(request, responder)) work(request, responder);
        };
    };
    router.get("/api/account", simple([this](const auto&, const auto& responder) {
                   responder.send(net::Response::json_text(
                       200, R"({"id":"rokada-bot","username":"Rokada-Bot","title":)" +
                                (title_.empty() ? "null" : quote(title_)) + "}"));
               }));
    router.post("/api/bot/account/upgrade", simple([this](const auto&, const auto& responder) {
                    ++report_.upgrades;
                    title_ = "BOT";
                    responder.send(net::Response::json_text(200, R"({"ok":true})"));
                }));
    router.get("/api/bot/online", simple([](const auto&, const auto& responder) {
                   responder.send(net::Response::text(200,
                                                      "{\"id\":\"rokada-bot\"}\n"
                                                      "{\"id\":\"other-bot\"}\n"));
               }));
    router.post("/api/challenge/{id}", guarded(&LichessDouble::challenged));
    router.get("/api/stream/event", simple([this](const auto&, const auto& responder) {
                   if (!trouble(responder)) open_events(responder);
               }));
    router.get("/api/bot/game/stream/{id}", guarded(&LichessDouble::open_game));
    router.post("/api/bot/game/{id}/move/{uci}", guarded(&LichessDouble::move));
    router.post("/api/bot/game/{id}/{action}", guarded(&LichessDouble::action));
    router.post("/api/bot/game/{id}/{action}/{answer}", guarded(&LichessDouble::action));
    router.post("/api/challenge/{id}/{answer}", guarded(&LichessDouble::answered));
}

void LichessDouble::answered(const net::RequestPtr& request, const net::Responder& responder) {
    if (trouble(responder)) return;
    const std::string id(request->param("id"));
    const auto at = std::find_if(open_challenges_.begin(), open_challenges_.end(),
                                 [&](const auto& c) { return c.first == id; });
    if (at == open_challenges_.end()) {
        responder.send(net::Response::json_text(404, R"({"error":"No such challenge"})"));
        return;
    }
    open_challenges_.erase(at);
    done(responder);
    ++progress_;
    if (request->param("answer") == "accept") {
        ++report_.accepted;
        start_game(id);
    } else {
        ++report_.declined;
        report_.reasons.push_back(request->body);
        if (request->body == "reason=later" && made_ > 0) {  // so they ask again later
            --made_;
            after(300ms, [this] { next_challenges(); });
        }
    }
    changed_.notify_all();
}

// The bot challenges another one, which has played enough today.
void LichessDouble::challenged(const net::RequestPtr&, const net::Responder& responder) {
    ++report_.challenges;
    responder.send(net::Response::json_text(
        429,
        R"({"error":"You played enough","ratelimit":{"key":"bot.vsBot.day","seconds":3600}})"));
}

void LichessDouble::open_events(const net::Responder& responder) {
    if (events_) events_.close();  // one per token
    events_ = responder.stream(net::Response(200).with("Content-Type", "application/x-ndjson"));
    events_silent_ = faults_.lines && chance(0.05);
    if (events_silent_) ++report_.faults;
    ++report_event_streams_;
    if (events_silent_) return;
    for (const auto& [id, object] : open_challenges_)
        events_.write(R"({"type":"challenge","challenge":)" + object + "}\n");
    for (const auto& [id, play] : plays_)
        if (play->running())
            events_.write(R"({"type":"gameStart","game":{"gameId":")" + id +
                          R"(","new":1}})"
                          "\r\n");
}

void LichessDouble::open_game(const net::RequestPtr& request, const net::Responder& responder) {
    Play* const found = find(request, responder);
    if (!found || trouble(responder)) return;
    Play& play = *found;
    if (play.stream) play.stream.close();
    play.silent = false;
    play.stream = responder.stream(net::Response(200).with("Content-Type", "application/x-ndjson"));
    play.stream.write(full_of(play) + "\n");
    if (!play.running()) play.stream.close();
}

std::string LichessDouble::state_of(Play& play) {
    std::string moves;
    for (const std::string& move : play.moves) moves += (moves.empty() ? "" : " ") + move;
    const auto time = [&play](Color color) {
        return play.has_clock ? std::to_string(std::max<std::int64_t>(0, play.left[color].count()))
                              : std::string(kNoTime);
    };
    std::string text = R"({"type":"gameState","moves":)" + quote(moves) + R"(,"wtime":)" +
                       time(Color::White) + R"(,"btime":)" + time(Color::Black) +
                       R"(,"winc":0,"binc":0,"status":)" + quote(play.status);
    if (!play.winner.empty()) text += R"(,"winner":)" + quote(play.winner);
    const char* them = play.bot == Color::White ? "b" : "w";
    if (play.draw_offered) text += std::string(",\"") + them + "draw\":true";
    if (play.takeback_offered) text += std::string(",\"") + them + "takeback\":true";
    return text + R"(,"somethingNew":{"a":[1,2.5,null]}})";
}

std::string LichessDouble::full_of(Play& play) {
    const std::string bot =
        R"({"id":"rokada-bot","name":"Rokada-Bot","title":"BOT","rating":2000})";
    const std::string other = R"({"id":"someone","name":"Someone","title":null,"rating":1500})";
    const bool white = play.bot == Color::White;
    return R"({"type":"gameFull","id":)" + quote(play.id) + R"(,"variant":{"key":)" +
           quote(play.variant) + R"(},"speed":"blitz","rated":false,"initialFen":)" +
           quote(play.fen) +
           (play.has_clock ? R"(,"clock":{"initial":60000,"increment":0})"
                           : R"(,"daysPerTurn":2)") +
           R"(,"white":)" + (white ? bot : other) + R"(,"black":)" + (white ? other : bot) +
           R"(,"state":)" + state_of(play) + "}";
}

void LichessDouble::write(Play& play, const std::string& line) {
    if (!play.stream || play.silent) return;
    const std::string whole = line + "\n";
    if (!faults_.lines) {
        play.stream.write(whole);
        return;
    }
    if (chance(0.1))
        play.stream.write(R"({"type":"nobodyKnowsThis","moves":"e2e4"})"
                          "\n");
    if (chance(0.2)) play.stream.write(chance(0.5) ? "\n" : "\r\n");
    if (chance(0.05)) {
        ++report_.faults;
        play.stream.write(whole.substr(0, random_() % whole.size()));
        play.stream.close();
        return;
    }
    if (chance(0.01)) {
        ++report_.faults;
        play.silent = true;
        return;
    }
    const bool twice = chance(0.15);
    for (int copy = 0; copy < (twice ? 2 : 1); ++copy)
        for (std::size_t at = 0; at < whole.size();) {
            const std::size_t size = chance(0.5) ? whole.size() : 1 + random_() % 40;
            play.stream.write(whole.substr(at, size));
            at += size;
        }
}

void LichessDouble::tell(Play& play) {
    write(play, state_of(play));
    if (!play.running() && play.stream && !play.silent) play.stream.close();
}

void LichessDouble::end(Play& play, const std::string& status, const std::string& winner) {
    if (!play.running()) return;
    play.status = status;
    play.winner = winner;
    ++report_.finished;
    ++progress_;
    ++report_.statuses[status];
    --running_;
    tell(play);
    if (events_ && !events_silent_)
        events_.write(R"({"type":"gameFinish","game":{"gameId":)" + quote(play.id) + "}}\n");
    next_challenges();
    changed_.notify_all();
}

void LichessDouble::judge(Play& play) {
    const std::string bot = play.bot == Color::White ? "white" : "black";
    const std::string other = play.bot == Color::White ? "black" : "white";
    if (play.game.over()) {
        const Outcome& outcome = *play.game.outcome();
        const bool mate = outcome.reason == EndReason::Checkmate;
        const bool stale = outcome.reason == EndReason::Stalemate;
        end(play,
            mate    ? "mate"
            : stale ? "stalemate"
                    : "draw",
            !outcome.winner                   ? ""
            : *outcome.winner == Color::White ? "white"
                                              : "black");
    } else if (play.moves.size() >= play.length) {
        end(play, play.ending.status,
            play.ending.winner == 'b'   ? bot
            : play.ending.winner == 'o' ? other
                                        : "");
    }
}

void LichessDouble::move(const net::RequestPtr& request, const net::Responder& responder) {
    Play* const found = find(request, responder);
    if (!found || trouble(responder)) return;
    Play& play = *found;
    if (!play.running()) {  // it may have ended while the move was on its way
        responder.send(net::Response::json_text(400, R"({"error":"Game already over"})"));
        return;
    }
    if (!play.bots_turn()) {
        // Unless a takeback took the turn away while the move was on its way.
        if (!play.turn_taken_away) ++report_.double_moves;
        responder.send(net::Response::json_text(400, R"({"error":"Not your turn"})"));
        return;
    }
    const std::string uci(request->param("uci"));
    const auto move = parse_uci_move(play.game.position(), uci);
    if (!move) {
        ++report_.illegal_moves;
        responder.send(net::Response::json_text(400, R"({"error":"Illegal move"})"));
        return;
    }
    if (play.has_clock && play.moves.size() >= 2)
        play.left[play.bot] -= std::chrono::duration_cast<std::chrono::milliseconds>(
            net::Clock::now() - play.turn_began);
    if (play.left[play.bot].count() <= 0) {
        ++report_.lost_on_time;
        end(play, "outoftime", play.bot == Color::White ? "black" : "white");
        responder.send(net::Response::json_text(400, R"({"error":"Out of time"})"));
        return;
    }
    play.game.play(*move);
    play.moves.push_back(uci);
    play.draw_offered = play.takeback_offered = false;
    ++report_.moves;
    ++progress_;
    if (play.moves.size() <= 2) report_.first_moves.push_back(uci);
    done(responder);
    tell(play);
    judge(play);
    if (play.running()) {
        play.opponent_pending = true;
        after(1ms, [this, id = play.id] { opponent_moves(id); });
    }
}

void LichessDouble::opponent_moves(const std::string& id) {
    Play& play = *plays_.at(id);
    play.opponent_pending = false;
    if (!play.running() || play.bots_turn()) return;
    if (plan_ && plan_->stops_at && play.moves.size() >= *plan_->stops_at) {
        if (play.moves.size() < 2) return;  // it has not come at all
        if (!std::exchange(play.gone, true))
            write(play, R"({"type":"opponentGone","gone":true,"claimWinInSeconds":1})");
        return;
    }
    if (faults_.opponent && chance(0.03)) {
        write(play, R"({"type":"opponentGone","gone":true,"claimWinInSeconds":30})");
        write(play, R"({"type":"opponentGone","gone":false})");
    }
    const MoveList moves = legal_moves(play.game.position());
    Move move = moves[random_() % moves.size()];
    if (plan_ && !plan_->moves.empty())
        move = *parse_uci_move(play.game.position(),
                               plan_->moves[play.moves.size() / 2 % plan_->moves.size()]);
    play.moves.push_back(to_uci(move, play.variant == "chess960" ? CastlingNotation::KingTakesRook
                                                                 : CastlingNotation::KingMove));
    play.game.play(move);
    play.turn_began = net::Clock::now();
    play.turn_taken_away = false;
    if (faults_.opponent && chance(0.05)) play.draw_offered = true;
    if (faults_.opponent && play.moves.size() > 2 && chance(0.03)) play.takeback_offered = true;
    tell(play);
    judge(play);
}

void LichessDouble::action(const net::RequestPtr& request, const net::Responder& responder) {
    const std::string action(request->param("action")), answer(request->param("answer"));
    Play* const found = find(request, responder);
    if (!found || trouble(responder)) return;
    Play& play = *found;
    done(responder);
    if (action == "chat")
        ++report_.chats;
    else
        report_.actions.push_back(action + (answer.empty() ? "" : "/" + answer));
    if (!play.running()) return;
    if (action == "draw" && play.draw_offered) {
        play.draw_offered = false;
        if (answer == "yes") return end(play, "draw", "");
        ++report_.draws_declined;
        tell(play);
    } else if (action == "takeback" && play.takeback_offered) {
        play.takeback_offered = false;
        if (answer == "yes") {
            ++report_.takebacks;
            play.turn_taken_away = true;
            do {
                play.game.take_back();
                play.moves.pop_back();
            } while (play.bots_turn());
        }
        tell(play);
        if (!play.bots_turn() && !play.opponent_pending) {
            play.opponent_pending = true;
            after(1ms, [this, id = play.id] { opponent_moves(id); });
        }
    } else if (action == "draw" && answer == "yes" && play.bots_turn() &&
               play.game.claimable_draw()) {
        end(play, "draw", "");
    } else if (action == "claim-draw" && play.gone) {
        end(play, "draw", "");
    } else if (action == "resign") {
        end(play, "resign", play.bot == Color::White ? "black" : "white");
    } else if (action == "claim-victory" && play.gone) {
        ++report_.claims;
        end(play, "timeout", play.bot == Color::White ? "white" : "black");
    } else if (action == "abort" && play.moves.size() < 2) {
        end(play, "aborted", "");
    }
}

void LichessDouble::start_game(const std::string& id) {
    auto play = std::make_unique<Play>();
    const int number = static_cast<int>(plays_.size());
    play->id = id;
    play->bot = number % 2 == 0 ? Color::White : Color::Black;
    if (number % 5 == 3) {
        const auto start = Position::from_setup(Setup::chess960(static_cast<int>(random_() % 960)));
        play->variant = "chess960";
        play->game = Game(*start, DrawRule::Claim);
        play->fen = to_fen(*start);
    } else if (number % 10 == 4) {
        play->variant = "fromPosition";
        play->fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8";
        play->game = Game(*parse_position(play->fen), DrawRule::Claim);
    }
    play->has_clock = number % 10 != 7;
    if (plan_) {
        play->variant = "standard";
        play->fen = plan_->fen.empty() ? "startpos" : plan_->fen;
        play->game =
            Game(plan_->fen.empty() ? Position() : *parse_position(plan_->fen), DrawRule::Claim);
        play->has_clock = plan_->has_clock;
    }
    for (auto& left : play->left) left = kClock;
    play->turn_began = net::Clock::now();
    play->length = 12 + random_() % 40;
    if (plan_ && plan_->length > 0) play->length = plan_->length;
    play->ending = kEndings[static_cast<std::size_t>(number) % std::size(kEndings)];
    report_.most_at_once = std::max(report_.most_at_once, ++running_);
    const bool waiting = play->game.position().turn() != play->bot;
    plays_.emplace(id, std::move(play));
    if (events_ && !events_silent_)
        events_.write(R"({"type":"gameStart","game":{"gameId":)" + quote(id) +
                      R"(,"fullId":"x"}})"
                      "\n");
    if (waiting) {
        plays_.at(id)->opponent_pending = true;
        after(5ms, [this, id] { opponent_moves(id); });
    }
    next_challenges();
}

void LichessDouble::next_challenges() {
    while (made_ < wanted_ && running_ + static_cast<int>(open_challenges_.size()) < at_once_) {
        ++made_;
        const std::string id = "game" + std::to_string(++ids_);
        const std::string object =
            R"({"id":)" + quote(id) +
            R"(,"status":"created","challenger":{"id":"someone","name":"Someone","title":null},"destUser":{"id":"rokada-bot"},)"
            R"("variant":{"key":"standard"},"rated":false,"timeControl":)" +
            (!plan_ || plan_->has_clock ? R"({"type":"clock","limit":60,"increment":0}})"
                                        : R"({"type":"correspondence","daysPerTurn":2}})");
        open_challenges_.emplace_back(id, object);
        if (events_ && !events_silent_) {
            if (faults_.lines)
                events_.write(R"({"type":"tournamentOver"})"
                              "\n\n");
            events_.write(R"({"type":"challenge","challenge":)" + object + "}\n");
            if (faults_.lines && chance(0.2)) events_.close();
        }
    }
}

void LichessDouble::challenge(const std::string& body) {
    const std::lock_guard lock(mutex_);
    const auto value = net::parse_json(body);
    open_challenges_.emplace_back(std::string(value->at("id").as_string()), body);
    if (events_) events_.write(R"({"type":"challenge","challenge":)" + body + "}\n");
}

bool LichessDouble::play_games(int count, int at_once, std::chrono::seconds patience) {
    std::unique_lock lock(mutex_);
    wanted_ += count;
    at_once_ = at_once;
    const int target = wanted_;
    next_challenges();
    for (std::uint64_t seen = progress_ - 1; seen != progress_;) {
        seen = progress_;
        if (changed_.wait_for(lock, patience, [&] { return report_.finished >= target; }))
            return true;
    }
    return false;
}

std::string LichessDouble::unfinished() {
    const std::lock_guard lock(mutex_);
    std::string text = std::to_string(report_.finished) + " finished, " +
                       std::to_string(open_challenges_.size()) + " challenges open\n";
    for (const auto& [id, play] : plays_)
        if (play->running())
            text += id +
                    (play->bots_turn() ? ": the bot is to move" : ": the opponent is to move") +
                    (play->has_clock ? "" : ", no clock") + (play->silent ? ", silent" : "") +
                    (play->takeback_offered ? ", takeback" : "") + " " + state_of(*play) + "\n";
    return text;
}

LichessDouble::Report LichessDouble::report() {
    const std::lock_guard lock(mutex_);
    return report_;
}

}  // namespace rokada::bot::test
