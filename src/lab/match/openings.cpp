// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/openings.hpp"

#include <fstream>

#include <fmt/format.h>

#include "chess/notation/epd.hpp"
#include "chess/notation/pgn_reader.hpp"
#include "chess/polyglot.hpp"

namespace rokada::lab {

namespace {

std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

// The place of n in a shuffle of 0 to size - 1 that needs no table: a small Feistel network over
// the next power of four, walked until it falls inside.
std::uint64_t shuffled(std::uint64_t n, std::uint64_t size, std::uint64_t seed) {
    unsigned half = 1;
    while ((std::uint64_t{1} << (2 * half)) < size) ++half;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    do {
        std::uint64_t left = n >> half, right = n & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (mix(right ^ (round << 40) ^ mix(seed)) & mask);
            left = right;
            right = next;
        }
        n = (left << half) | right;
    } while (n >= size);
    return n;
}

class StartPosition : public OpeningBook {
  public:
    explicit StartPosition(const OpeningSettings& settings) : settings_(settings) {}
    Result<Opening, std::string> opening(std::uint64_t n) const override {
        if (!settings_.chess960) return Opening{};
        const auto number = static_cast<int>(mix(settings_.seed * 1'000'003 + n) % 960);
        const auto position = Position::from_setup(Setup::chess960(number));
        if (!position) return Error{position.error().message()};
        return Opening{*position, {}};
    }
    std::size_t size() const override { return 1; }

  private:
    OpeningSettings settings_;
};

// Lines of a Polyglot book, each move with a chance in proportion to its weight.
class BookLines : public OpeningBook {
  public:
    BookLines(PolyglotBook book, const OpeningSettings& settings)
        : book_(std::move(book)), settings_(settings) {}
    Result<Opening, std::string> opening(std::uint64_t n) const override {
        constexpr int kUsualPlies = 8;
        const int plies = settings_.plies > 0 ? settings_.plies : kUsualPlies;
        Opening opening;
        Position position = opening.start;
        for (int ply = 0; ply < plies; ++ply) {
            const std::uint64_t lot =
                mix(mix(settings_.seed + mix(n)) + static_cast<std::uint64_t>(ply));
            const auto move = book_.random(position, lot);
            if (!move) break;
            opening.moves.push_back(*move);
            position.play(*move);
        }
        if (opening.moves.empty())
            return Error{
                fmt::format("openings: '{}' has no move for the start position", settings_.path)};
        return opening;
    }
    std::size_t size() const override { return book_.entries(); }

  private:
    PolyglotBook book_;
    OpeningSettings settings_;
};

// The first moves of the main line of a game.
class MainLine : public PgnVisitor {
  public:
    explicit MainLine(int plies) : plies_(plies) {}
    Result<Opening, std::string> take() && {
        if (!problem_.empty()) return Error{std::move(problem_)};
        return std::move(opening_);
    }

  private:
    void begin_moves(const Position& start) override { opening_.start = start; }
    void move(const Position&, Move move) override {
        if (move) opening_.moves.push_back(move);
        if (plies_ > 0 && static_cast<int>(opening_.moves.size()) >= plies_) skip_game();
    }
    void begin_variation() override { skip_variation(); }
    void problem(const PgnProblem& p) override {
        if (p.severity == PgnSeverity::Broken && problem_.empty()) problem_ = p.message;
    }

    int plies_;
    Opening opening_;
    std::string problem_;
};

Result<Opening, std::string> read_game(const std::string& text, int plies) {
    StringSource source(text);
    PgnReader reader(source);
    MainLine line(plies);
    reader.read_game(line);
    return std::move(line).take();
}

class FileBook : public OpeningBook {
  public:
    explicit FileBook(OpeningSettings settings) : settings_(std::move(settings)) {}

    Result<bool, std::string> scan() {
        std::ifstream file(settings_.path, std::ios::binary);
        if (!file) return Error{fmt::format("openings: cannot read '{}'", settings_.path)};
        std::string line;
        std::uint64_t offset = 0;
        bool in_tags = false, first = true;
        while (std::getline(file, line)) {
            const std::uint64_t begin = offset;
            offset += line.size() + 1;
            if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
            // "[%" begins a command inside a comment.
            const bool tag = line[0] == '[' && line.compare(0, 2, "[%") != 0;
            if (std::exchange(first, false)) pgn_ = tag;
            if (pgn_ ? tag && !in_tags : line[0] != '#') places_.push_back(begin);
            in_tags = tag;
        }
        places_.push_back(offset);
        if (size() == 0) return Error{fmt::format("openings: '{}' holds none", settings_.path)};
        // All are tried now: a wrong one must not end a tournament that is half played.
        file.clear();
        for (std::size_t place = 0; place < size(); ++place)
            if (auto opening = read_at(file, place); !opening) return Error{opening.error()};
        return true;
    }

    std::size_t size() const override { return places_.size() - 1; }

    Result<Opening, std::string> opening(std::uint64_t n) const override {
        const std::uint64_t turn = n / size(), within = n % size();
        const std::uint64_t place =
            settings_.random ? shuffled(within, size(), settings_.seed + turn) : within;
        std::ifstream file(settings_.path, std::ios::binary);
        return read_at(file, place);
    }

  private:
    Result<Opening, std::string> read_at(std::ifstream& file, std::uint64_t place) const {
        const std::uint64_t begin = places_[place];
        std::string text(places_[place + 1] - begin, '\0');
        file.seekg(static_cast<std::streamoff>(begin));
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
        auto result = read(text);
        if (!result)
            return Error{fmt::format("openings: '{}' number {}: {}", settings_.path, place + 1,
                                     result.error())};
        return result;
    }

    Result<Opening, std::string> read(const std::string& text) const {
        if (pgn_) return read_game(text, settings_.plies);
        const auto epd = parse_epd(text.substr(0, text.find_first_of("\r\n")));
        if (!epd) return Error{epd.error().to_string()};
        return Opening{epd->position, {}};
    }

    OpeningSettings settings_;
    std::vector<std::uint64_t> places_;  // of every opening, and the end
    bool pgn_ = false;
};

}  // namespace

Result<std::unique_ptr<OpeningBook>, std::string> OpeningBook::open(
    const OpeningSettings& settings) {
    if (settings.path.empty()) return std::unique_ptr<OpeningBook>(new StartPosition(settings));
    std::unique_ptr<OpeningBook> book;
    if (settings.path.size() > 4 &&
        settings.path.compare(settings.path.size() - 4, 4, ".bin") == 0) {
        auto read = PolyglotBook::read(settings.path);
        if (!read) return Error{fmt::format("openings: '{}': {}", settings.path, read.error())};
        book = std::make_unique<BookLines>(std::move(*read), settings);
    } else {
        auto lines = std::make_unique<FileBook>(settings);
        const auto scanned = lines->scan();
        if (!scanned) return Error{scanned.error()};
        book = std::move(lines);
    }
    // A wrong book is noticed before the games begin.
    const auto first = book->opening(0);
    if (!first) return Error{first.error()};
    return book;
}

}  // namespace rokada::lab
