// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/epd.hpp"

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"

namespace rokada {

namespace {

constexpr std::string_view kHalfmoveClock = "hmvc", kFullmoveNumber = "fmvn";
constexpr int kLargestCounter = 9999;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_number(std::string_view text) {
    for (const char c : text)
        if (c < '0' || c > '9') return false;
    return !text.empty();
}

class Reader {
  public:
    explicit Reader(std::string_view line) : line_(line) {}

    Result<Epd, ParseError> run() {
        for (int field = 0; field < 4; ++field) word();
        // Counters are told from opcodes by their digits.
        for (int counter = 0; counter < 2; ++counter) {
            const std::size_t before = at_;
            if (!is_number(word())) {
                at_ = before;
                break;
            }
        }
        auto setup = parse_fen(line_.substr(0, at_));
        if (!setup) return Error{setup.error()};
        setup_ = *setup;
        Epd epd;
        while (skip_to_operation())
            if (auto problem = operation(epd.operations); !problem.message.empty())
                return Error{problem};
        auto position = Position::from_setup(setup_);
        if (!position)
            return Error{ParseError{0, "illegal position: " + position.error().message()}};
        epd.position = *position;
        return epd;
    }

  private:
    void skip_blanks() {
        while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    }
    std::string_view word() {
        skip_blanks();
        const std::size_t begin = at_;
        while (at_ < line_.size() && !is_blank(line_[at_]) && line_[at_] != ';') ++at_;
        return line_.substr(begin, at_ - begin);
    }
    bool skip_to_operation() {
        while (at_ < line_.size() && (is_blank(line_[at_]) || line_[at_] == ';')) ++at_;
        return at_ < line_.size();
    }

    // An empty message means that all is well.
    ParseError operation(std::vector<EpdOperation>& operations) {
        const std::size_t begin = at_;
        if (line_[at_] == '"') return {at_, "a string stands where an opcode should"};
        EpdOperation op{std::string(word()), {}};
        std::size_t operand_at = at_;
        for (skip_blanks(); at_ < line_.size() && line_[at_] != ';'; skip_blanks()) {
            operand_at = at_;
            if (line_[at_] != '"') {
                op.operands.push_back({std::string(word()), false});
                continue;
            }
            const std::size_t close = line_.find('"', at_ + 1);
            if (close == std::string_view::npos) return {at_, "the string is not closed"};
            op.operands.push_back({std::string(line_.substr(at_ + 1, close - at_ - 1)), true});
            at_ = close + 1;
        }
        if (op.opcode == kHalfmoveClock)
            return counter(op, begin, operand_at, setup_.halfmove_clock);
        if (op.opcode == kFullmoveNumber)
            return counter(op, begin, operand_at, setup_.fullmove_number);
        operations.push_back(std::move(op));
        return {};
    }

    static ParseError counter(const EpdOperation& op, std::size_t begin, std::size_t operand_at,
                              int& value) {
        if (op.operands.size() != 1) return {begin, op.opcode + " needs one number"};
        const std::string& text = op.operands.front().text;
        if (!is_number(text) || text.size() > 4)
            return {operand_at,
                    quoted(text) + " is no number from 0 to " + std::to_string(kLargestCounter)};
        value = 0;
        for (const char c : text) value = value * 10 + (c - '0');
        if (op.opcode == kFullmoveNumber && value == 0) value = 1;
        return {};
    }

    std::string_view line_;
    std::size_t at_ = 0;
    Setup setup_;
};

bool needs_quotes(const EpdOperand& operand) {
    return operand.quoted || operand.text.empty() ||
           operand.text.find_first_of(" \t\r\n;\"") != std::string::npos;
}

// A string cannot hold its own quotation mark, nor the end of the line.
void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) out += c == '"' ? '\'' : c == '\n' || c == '\r' ? ' ' : c;
    out += '"';
}

}  // namespace

std::string EpdOperation::text() const {
    std::string joined;
    for (const EpdOperand& operand : operands) {
        if (!joined.empty()) joined += ' ';
        joined += operand.text;
    }
    return joined;
}

const EpdOperation* Epd::find(std::string_view opcode) const {
    for (const EpdOperation& op : operations)
        if (op.opcode == opcode) return &op;
    return nullptr;
}

Result<std::vector<Move>, ParseError> Epd::moves(std::string_view opcode) const {
    std::vector<Move> found;
    const EpdOperation* op = find(opcode);
    if (op == nullptr) return found;
    for (const EpdOperand& operand : op->operands) {
        // Some suites part the moves by commas, or a move from its marks.
        std::string_view text = operand.text;
        if (!text.empty() && text.back() == ',') text.remove_suffix(1);
        if (!found.empty() && text.find_first_not_of("+#!?") == std::string_view::npos) continue;
        const auto move = parse_san(position, text);
        if (!move) return Error{move.error()};
        found.push_back(*move);
    }
    return found;
}

Result<Epd, ParseError> parse_epd(std::string_view line) { return Reader(line).run(); }

std::string to_epd(const Epd& epd) {
    std::string out = to_fen_without_counters(epd.position);
    const auto counter = [&out](std::string_view name, int value) {
        out += ' ';
        out += name;
        out += ' ' + std::to_string(value) + ';';
    };
    if (epd.position.halfmove_clock() != 0) counter(kHalfmoveClock, epd.position.halfmove_clock());
    if (epd.position.fullmove_number() != 1)
        counter(kFullmoveNumber, epd.position.fullmove_number());
    for (const EpdOperation& op : epd.operations) {
        // A number right behind the position would be taken for a counter.
        out += is_number(op.opcode) && out.back() != ';' ? " ;" : " ";
        out += op.opcode;
        for (const EpdOperand& operand : op.operands) {
            out += ' ';
            if (needs_quotes(operand))
                append_quoted(out, operand.text);
            else
                out += operand.text;
        }
        out += ';';
    }
    return out;
}

}  // namespace rokada
