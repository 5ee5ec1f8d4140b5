// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/settings.hpp"

#include "server/store/games_table.hpp"

namespace rokada::server {

using games_table::fact;
using games_table::set_fact;

std::string_view word(ServerSettings::Registration registration) {
    switch (registration) {
        case ServerSettings::Registration::Open: return "open";
        case ServerSettings::Registration::Code: return "code";
        case ServerSettings::Registration::Closed: return "closed";
    }
    return "closed";
}

namespace {

ServerSettings read_settings(Session& session) {
    ServerSettings read;
    const std::string registration = fact(session, "registration").value_or("open");
    read.registration = registration == "closed" ? ServerSettings::Registration::Closed
                        : registration == "code" ? ServerSettings::Registration::Code
                                                 : ServerSettings::Registration::Open;
    read.registration_code = fact(session, "registration_code").value_or("");
    read.guests = fact(session, "guests").value_or("1") == "1";
    read.chat = fact(session, "chat").value_or("0") == "1";
    read.public_lists = fact(session, "public_lists").value_or("1") == "1";
    return read;
}

}  // namespace

Settings::Settings(Store& store) : store_(store) { read_again(); }

void Settings::read_again() { keep(store_.read(read_settings)); }

void Settings::keep(const ServerSettings& settings) {
    const std::lock_guard lock(mutex_);
    current_ = settings;
    public_lists_ = settings.public_lists;
}

ServerSettings Settings::get() const {
    const std::lock_guard lock(mutex_);
    return current_;
}

void Settings::set(const ServerSettings& wanted) {
    const ServerSettings known = get();
    ServerSettings after;
    store_.write([&](Session& session) {
        const auto put = [&session](const char* name, const auto& before, const auto& now,
                                    std::string_view text) {
            if (before != now) set_fact(session, name, text);
        };
        const auto put_switch = [&put](const char* name, bool before, bool now) {
            put(name, before, now, now ? "1" : "0");
        };
        put("registration", known.registration, wanted.registration, word(wanted.registration));
        put("registration_code", known.registration_code, wanted.registration_code,
            wanted.registration_code);
        put_switch("guests", known.guests, wanted.guests);
        put_switch("chat", known.chat, wanted.chat);
        put_switch("public_lists", known.public_lists, wanted.public_lists);
        after = read_settings(session);
    });
    keep(after);
}

}  // namespace rokada::server
