// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/thinker.hpp"

namespace rokada::protocol {

namespace {

class EngineThinker : public Thinker {
  public:
    explicit EngineThinker(engine::Callbacks callbacks) : engine_(std::move(callbacks)) {}

    std::vector<engine::Option> options() const override { return engine_.options(); }
    std::optional<std::string> set_option(std::string_view name, std::string_view value) override {
        return engine_.set_option(name, value);
    }
    void set_position(const Position& start, const std::vector<Move>& moves) override {
        engine_.set_position(start, moves);
    }
    std::vector<BookMove> book_moves(const Position& position) const override {
        return engine_.book_moves(position);
    }
    void go(const engine::Limits& limits) override { engine_.go(limits); }
    void stop() override { engine_.stop(); }
    void ponder_hit() override { engine_.ponder_hit(); }
    void new_game() override { engine_.new_game(); }
    void wait() override { engine_.wait(); }

  private:
    engine::Engine engine_;
};

}  // namespace

std::unique_ptr<Thinker> make_engine_thinker(engine::Callbacks callbacks) {
    return std::make_unique<EngineThinker>(std::move(callbacks));
}

}  // namespace rokada::protocol
