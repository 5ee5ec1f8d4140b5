// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_game_reader.hpp"

#include <algorithm>
#include <utility>

namespace rokada {

namespace {

constexpr std::size_t kMostProblems = 100, kMostTags = 1000;
// What a node costs, with the spare room of a growing vector.
constexpr std::size_t kNodeSize = 48, kNotesSize = 2 * sizeof(PgnNotes);

class Builder final : public PgnVisitor {
  public:
    Builder(std::size_t memory, std::vector<PgnProblem>& problems)
        : memory_(memory), problems_(problems) {}

    PgnGame take() { return std::move(game_); }
    std::size_t used() const { return used_; }

    void tag(std::string_view name, std::string_view value) override {
        if (name == "FEN" || name == "SetUp" || name == "Result") return;
        if (game_.tags().size() == kMostTags) return refuse_game("the game has too many tags");
        // A tag given twice counts as it was said last.
        if (afford(sizeof(PgnTag) + name.size() + value.size())) game_.set_tag(name, value);
    }

    void begin_moves(const Position& start) override {
        PgnGame game(start);
        for (const PgnTag& tag : game_.tags()) game.set_tag(tag.name, tag.value);
        game_ = std::move(game);
    }

    void move(const Position& /*before*/, Move move) override {
        if (!afford(kNodeSize)) return;
        current_ = game_.add(current_, move);
        fresh_ = false;
        if (pending_.empty()) return;
        if (!afford(kNotesSize)) return;
        PgnNotes& notes = game_.notes(current_);
        notes.before = std::move(pending_.after);
        notes.nags = std::move(pending_.nags);
        pending_ = {};
    }

    void nag(int number) override {
        if (PgnNotes* target = notes(1)) target->nags.push_back(static_cast<std::uint8_t>(number));
    }

    void comment(std::string_view text) override {
        if (PgnNotes* target = notes(text.size())) read_pgn_comment(text, target->after);
    }

    void begin_variation() override {
        around_.push_back(current_);
        current_ = game_.parent(current_);
        fresh_ = true;
    }

    void end_variation() override {
        current_ = around_.back();
        around_.pop_back();
        fresh_ = false;
        // A variation without moves leaves only its words.
        const std::string words = std::exchange(pending_, {}).after.text;
        if (!words.empty()) comment(words);
    }

    void end_game(PgnResult result) override { game_.set_result(result); }

    void problem(const PgnProblem& problem) override {
        if (problems_.size() < kMostProblems || problem.severity == PgnSeverity::Broken)
            problems_.push_back(problem);
    }

  private:
    bool afford(std::size_t bytes) {
        if (used_ + bytes > memory_) {
            refuse_game("the game needs more memory than is allowed");
            return false;
        }
        used_ += bytes;
        return true;
    }

    // Where something said at this place belongs; null if there is no room.
    PgnNotes* notes(std::size_t bytes) {
        const bool made = fresh_ || game_.find_notes(current_) != nullptr;
        if (!afford(2 * bytes + (made ? 0 : kNotesSize))) return nullptr;
        return fresh_ ? &pending_ : &game_.notes(current_);
    }

    const std::size_t memory_;
    std::size_t used_ = 0;
    std::vector<PgnProblem>& problems_;
    PgnGame game_;
    PgnGame::Node current_ = PgnGame::kRoot;
    std::vector<PgnGame::Node> around_;
    bool fresh_ = false;  // a variation has begun and has no move yet
    PgnNotes pending_;    // what was said there
};

}  // namespace

PgnGameReader::PgnGameReader(ByteSource& source, PgnGameLimits limits)
    : reader_(source, limits.reader), memory_(limits.memory) {}

std::optional<PgnGame> PgnGameReader::next() {
    problems_.clear();
    Builder builder(memory_, problems_);
    const bool found = reader_.read_game(builder);
    memory_used_ = builder.used();
    return found ? std::optional(builder.take()) : std::nullopt;
}

bool PgnGameReader::broken() const {
    return std::any_of(problems_.begin(), problems_.end(), [](const PgnProblem& problem) {
        return problem.severity == PgnSeverity::Broken;
    });
}

PgnGames parse_pgn(std::string_view text, PgnGameLimits limits) {
    PgnGames all;
    StringSource source(text);
    PgnGameReader reader(source, limits);
    std::size_t used = 0;
    while (auto game = reader.next()) {
        for (const PgnProblem& problem : reader.problems())
            if (all.problems.size() < kMostProblems || problem.severity == PgnSeverity::Broken)
                all.problems.push_back(problem);
        used += reader.memory_used() + sizeof(PgnGame) + reader.problems().size() * 100;
        if (used > limits.memory) {
            all.problems.push_back({PgnSeverity::Broken,
                                    {0, 0, reader.offset()},
                                    0,
                                    "the games need more memory than is allowed"});
            break;
        }
        all.games.push_back(*std::move(game));
    }
    return all;
}

}  // namespace rokada
