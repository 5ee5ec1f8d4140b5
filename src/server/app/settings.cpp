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

Settings::Settings(Store& store) : store_(store) {
    store_.read([this](Session& session) {
        const std::string registration = fact(session, "registration").value_or("open");
        current_.registration = registration == "closed" ? ServerSettings::Registration::Closed
                                : registration == "code" ? ServerSettings::Registration::Code
                                                         : ServerSettings::Registration::Open;
        current_.registration_code = fact(session, "registration_code").value_or("");
        current_.guests = fact(session, "guests").value_or("1") == "1";
        current_.chat = fact(session, "chat").value_or("0") == "1";
        current_.public_lists = fact(session, "public_lists").value_or("1") == "1";
    });
}

ServerSettings Settings::get() const {
    const std::lock_guard lock(mutex_);
    return current_;
}

void Settings::set(const ServerSettings& settings) {
    store_.write([&settings](Session& session) {
        set_fact(session, "registration", word(settings.registration));
        set_fact(session, "registration_code", settings.registration_code);
        set_fact(session, "guests", settings.guests ? "1" : "0");
        set_fact(session, "chat", settings.chat ? "1" : "0");
        set_fact(session, "public_lists", settings.public_lists ? "1" : "0");
    });
    const std::lock_guard lock(mutex_);
    current_ = settings;
}

}  // namespace rokada::server
