// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/driver/driver.hpp"

#include "protocol/driver/cecp_driver.hpp"
#include "protocol/driver/uci_driver.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol {

EngineDriver::EngineDriver(DriverSettings settings, std::unique_ptr<ChildProcess> process,
                           LinkGroup& group)
    : settings_(std::move(settings)),
      link_(std::make_unique<Link>(std::move(process))),
      group_(group) {
    link_->set_log(settings_.log);
    group_.add(*link_);
}

EngineDriver::~EngineDriver() { group_.remove(*link_); }

void EngineDriver::quit() {
    link_->send("quit");
    link_->process().close_input();
    link_->process().end(std::chrono::milliseconds(500));
}

Reply EngineDriver::lost(SteadyTime asked) {
    Reply reply;
    reply.elapsed = std::chrono::steady_clock::now() - asked;
    if (group_.cancelled != nullptr && *group_.cancelled) {
        reply.kind = ReplyKind::Cancelled;
    } else if (link_->closed()) {
        reply.kind = ReplyKind::Crash;
        reply.text = link_->last_words();
    } else {
        reply.kind = ReplyKind::Silence;
    }
    return reply;
}

const engine::Option* EngineDriver::find_option(std::string_view name) const {
    for (const engine::Option& option : options_)
        if (equal_ignoring_case(option.name, name)) return &option;
    return nullptr;
}

std::optional<std::string> EngineDriver::problem_with(const engine::Option& option,
                                                      const std::string& value) {
    const auto wrong = [&](const std::string& wanted) {
        return "option '" + option.name + "': '" + value + "' is not " + wanted;
    };
    switch (option.type) {
        case engine::OptionType::Spin: {
            const auto number = to_integer(value);
            if (option.min >= option.max ||
                (number && *number >= option.min && *number <= option.max))
                return std::nullopt;
            return wrong("between " + std::to_string(option.min) + " and " +
                         std::to_string(option.max));
        }
        case engine::OptionType::Combo: {
            std::string list;
            for (const std::string& choice : option.choices) {
                if (equal_ignoring_case(choice, value)) return std::nullopt;
                list += (list.empty() ? "" : ", ") + choice;
            }
            return option.choices.empty() ? std::nullopt : std::optional(wrong("one of " + list));
        }
        case engine::OptionType::Check:
            for (const std::string_view word : {"true", "false", "1", "0"})
                if (equal_ignoring_case(word, value)) return std::nullopt;
            return wrong("true or false");
        default: return std::nullopt;
    }
}

Result<std::unique_ptr<EngineDriver>, std::string> start_engine(EngineProtocol protocol,
                                                                DriverSettings settings,
                                                                LinkGroup& group) {
    auto process = ChildProcess::start(settings.process);
    if (!process) return Error{process.error()};
    std::unique_ptr<EngineDriver> driver;
    if (protocol == EngineProtocol::Uci)
        driver = std::make_unique<UciDriver>(std::move(settings), std::move(*process), group);
    else
        driver = std::make_unique<CecpDriver>(std::move(settings), std::move(*process), group);
    if (auto problem = driver->start()) return Error{std::move(*problem)};
    return driver;
}

}  // namespace rokada::protocol
