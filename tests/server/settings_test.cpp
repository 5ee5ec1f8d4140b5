// SPDX-License-Identifier: GPL-3.0-or-later
// The switches of a server that shares its data with others: nobody undoes what another one has changed.
#include "server/app/settings.hpp"

#include <gtest/gtest.h>

#include "tests/server/databases.hpp"

namespace rokada::server::test {
namespace {

class SettingsTest : public OnBothDatabases {};
INSTANTIATE_TEST_SUITE_P(Engines, SettingsTest, kBothDatabases, engine_name);

TEST_P(SettingsTest, OneServerDoesNotUndoWhatAnotherOneChanged) {
    Settings one(*store_), two(*store_);
    ServerSettings wanted = one.get();
    wanted.registration = ServerSettings::Registration::Closed;
    wanted.public_lists = false;
    one.set(wanted);
    EXPECT_TRUE(two.public_lists()) << "it has not heard of it yet";

    wanted = two.get();
    wanted.chat = true;
    two.set(wanted);
    for (Settings* settings : {&one, &two}) {
        settings->read_again();
        EXPECT_EQ(settings->get().registration, ServerSettings::Registration::Closed);
        EXPECT_FALSE(settings->public_lists());
        EXPECT_TRUE(settings->get().chat);
        EXPECT_TRUE(settings->get().guests);
    }
}

}  // namespace
}  // namespace rokada::server::test
