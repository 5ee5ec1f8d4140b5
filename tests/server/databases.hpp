// SPDX-License-Identifier: GPL-3.0-or-later
// A fresh store for each test: on both databases, or on the PostgreSQL of the tests where it is installed.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "server/store/postgres_session.hpp"
#include "server/store/sqlite_session.hpp"
#include "server/store/store.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {

// A fixture that overrides SetUp begins with that of its base and ends there if IsSkipped().
class OnPostgres : public ::testing::Test {
  protected:
    void SetUp() override {
        postgres_ = PrivatePostgres::get();
        if (postgres_ == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
        options_.folder = folder_.path() / "data";
        options_.url = postgres_->fresh_url();
        store_ = std::make_unique<Store>(options_, StoreSharing::OneOfSeveral);
    }
    std::unique_ptr<Session> connect() const { return open_postgres(options_.url); }

    PrivatePostgres* postgres_ = nullptr;
    TemporaryFolder folder_;
    StoreOptions options_;
    std::unique_ptr<Store> store_;
};

enum class Engine { Sqlite, Postgres };

class OnBothDatabases : public ::testing::TestWithParam<Engine> {
  protected:
    void SetUp() override {
        options_.folder = folder_.path() / "data";
        if (!sqlite()) {
            PrivatePostgres* postgres = PrivatePostgres::get();
            if (postgres == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
            options_.url = postgres->fresh_url();
        }
        reopen();
    }
    void reopen() {
        store_.reset();
        store_ = std::make_unique<Store>(options_);
    }
    bool sqlite() const { return GetParam() == Engine::Sqlite; }
    // Another connection, which may write.
    std::unique_ptr<Session> connect(const StoreOptions& options) const {
        return sqlite() ? open_sqlite(options.folder / "rokada.db", SqliteAccess::ReadWrite)
                        : open_postgres(options.url);
    }

    TemporaryFolder folder_;
    StoreOptions options_;
    std::unique_ptr<Store> store_;
};

inline const auto kBothDatabases = ::testing::Values(Engine::Sqlite, Engine::Postgres);
inline std::string engine_name(const ::testing::TestParamInfo<Engine>& engine) {
    return engine.param == Engine::Sqlite ? "Sqlite" : "Postgres";
}

}  // namespace rokada::server::test
