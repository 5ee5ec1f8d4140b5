// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/json.hpp"

#include <cmath>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::review {

namespace {

// Writes members one after the other; commas come by themselves.
class Writer {
  public:
    void open(char bracket) {
        comma();
        text_ += bracket;
        first_ = true;
    }
    void close(char bracket) {
        text_ += bracket;
        first_ = false;
    }
    void key(std::string_view name) {
        comma();
        quote(name);
        text_ += ':';
        first_ = true;  // no comma before the value
    }
    void string(std::string_view value) {
        comma();
        quote(value);
    }
    void number(long value) {
        comma();
        text_ += std::to_string(value);
    }
    // One decimal; not by printf, which would cost the page more than the whole review.
    void tenths(double value) {
        comma();
        const long scaled = std::lround(value * 10);
        if (scaled < 0) text_ += '-';
        text_ +=
            std::to_string(std::labs(scaled) / 10) + '.' + std::to_string(std::labs(scaled) % 10);
    }
    void boolean(bool value) {
        comma();
        text_ += value ? "true" : "false";
    }
    void null() {
        comma();
        text_ += "null";
    }
    std::string take() { return std::move(text_); }

  private:
    void comma() {
        if (!first_) text_ += ',';
        first_ = false;
    }
    void quote(std::string_view value) {
        text_ += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\') text_ += '\\';
            text_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
        text_ += '"';
    }

    std::string text_;
    bool first_ = true;
};

class ReviewWriter {
  public:
    explicit ReviewWriter(const Review& review) : review_(review) {}

    std::string run() {
        castling_ = castling_notation_for(review_.start);
        json_.open('{');
        member("version", 1);
        json_.key("start");
        json_.string(to_fen(review_.start));
        json_.key("opening");
        if (review_.opening) {
            json_.open('{');
            word("code", review_.opening->code);
            word("name", review_.opening->name);
            member("plies", static_cast<long>(review_.opening_plies));
            json_.close('}');
        } else {
            json_.null();
        }
        phase("middlegame", review_.middlegame);
        phase("endgame", review_.endgame);
        json_.key("white");
        side(review_.side[Color::White]);
        json_.key("black");
        side(review_.side[Color::Black]);
        json_.key("graph");
        json_.open('[');
        for (const Evaluation& evaluation : review_.evaluations) {
            json_.open('{');
            score_members(evaluation.score);
            json_.key("win");
            json_.tenths(evaluation.win);
            json_.close('}');
        }
        json_.close(']');
        json_.key("moves");
        json_.open('[');
        Position position = review_.start;
        for (const ReviewedMove& move : review_.moves) {
            write(move, position);
            position.play(move.move);
        }
        json_.close(']');
        json_.key("keyMoments");
        json_.open('[');
        for (const std::size_t ply : review_.key_moments) json_.number(static_cast<long>(ply));
        json_.close(']');
        json_.close('}');
        return json_.take();
    }

  private:
    void member(std::string_view name, long value) {
        json_.key(name);
        json_.number(value);
    }
    void word(std::string_view name, std::string_view value) {
        json_.key(name);
        json_.string(value);
    }
    void phase(std::string_view name, const std::optional<std::size_t>& plies) {
        json_.key(name);
        if (plies)
            json_.number(static_cast<long>(*plies));
        else
            json_.null();
    }
    void percent(std::string_view name, const std::optional<double>& value) {
        json_.key(name);
        if (value)
            json_.tenths(*value);
        else
            json_.null();
    }
    void score_members(engine::Score score) {
        if (score.is_mate())
            member("mate", score.moves_to_mate());
        else
            member("cp", score.centipawns());
    }
    // Everything in the text is told from White's point of view.
    void score(std::string_view name, engine::Score of_mover, Color mover) {
        json_.key(name);
        json_.open('{');
        score_members(mover == Color::White ? of_mover : -of_mover);
        json_.close('}');
    }

    void side(const SideSummary& summary) {
        json_.open('{');
        percent("accuracy", summary.accuracy);
        json_.key("phases");
        json_.open('{');
        for (const Phase p : {Phase::Opening, Phase::Middlegame, Phase::Endgame})
            percent(to_string(p), summary.phase_accuracy[static_cast<std::size_t>(p)]);
        json_.close('}');
        member("centipawnLoss", std::lround(summary.average_centipawn_loss));
        member("moves", summary.moves);
        json_.key("counts");
        json_.open('{');
        for (std::size_t i = 0; i < kJudgements; ++i)
            member(to_string(static_cast<Judgement>(i)), summary.count[i]);
        json_.close('}');
        json_.close('}');
    }

    void line(std::string_view name, Position position, const std::vector<Move>& moves) {
        json_.key(name);
        json_.open('[');
        for (const Move move : moves) {
            json_.open('{');
            word("uci", to_uci(move, castling_));
            word("san", to_san(position, move));
            json_.close('}');
            position.play(move);
        }
        json_.close(']');
    }

    void piece(std::string_view name, NamedPiece named) {
        if (!named) return;
        constexpr std::string_view kNames[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
        json_.key(name);
        json_.open('{');
        word("color", color_of(named.piece) == Color::White ? "white" : "black");
        word("piece", kNames[index(type_of(named.piece))]);
        word("square", rokada::to_string(named.square));
        json_.close('}');
    }

    void write(const ReviewedMove& move, const Position& before) {
        Position after = before;
        after.play(move.move);
        json_.open('{');
        word("uci", to_uci(move.move, castling_));
        word("san", to_san(before, move.move));
        word("phase", to_string(move.phase));
        word("judgement", to_string(move.judgement));
        score("best", move.best, move.mover);
        score("played", move.played, move.mover);
        json_.key("loss");
        json_.tenths(move.loss);
        percent("accuracy", move.accuracy);
        line("better", before, move.better);
        line("refutation", after, move.refutation);
        json_.key("reasons");
        json_.open('[');
        for (const Reason& reason : move.reasons) {
            json_.open('{');
            word("code",
                 std::string(to_string(reason.kind)) + '-' + std::string(to_string(reason.motif)));
            piece("actor", reason.actor);
            piece("target", reason.target);
            piece("other", reason.other);
            if (reason.amount != Amount::None) {
                word("amount", to_string(reason.amount));
                member("points", reason.points);
            }
            if (reason.mate_in > 0) {
                member("mateIn", reason.mate_in);
                json_.key("exact");
                json_.boolean(reason.exact);
            }
            line("line", reason.kind == ReasonKind::Allows ? after : before, reason.line);
            json_.close('}');
        }
        json_.close(']');
        json_.close('}');
    }

    const Review& review_;
    CastlingNotation castling_ = CastlingNotation::KingMove;
    Writer json_;
};

}  // namespace

std::string to_json(const Review& review) { return ReviewWriter(review).run(); }

}  // namespace rokada::review
