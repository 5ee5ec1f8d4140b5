// SPDX-License-Identifier: GPL-3.0-or-later
// rokada backup | restore | verify | user: administration of a server's data.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "server/app/administration.hpp"
#include "server/store/database_claim.hpp"
#include "server/store/dump_file.hpp"
#include "server/store/migrations.hpp"
#include "server/store/postgres_session.hpp"
#include "server/store/sqlite_session.hpp"
#include "server/store/store.hpp"

namespace rokada::cli {
namespace {

using namespace server;
namespace fs = std::filesystem;

struct Place {
    std::string data, database;

    fs::path folder() const { return data.empty() ? default_data_folder() : fs::path(data); }
    fs::path file() const { return folder() / "rokada.db"; }
    StoreOptions options() const { return {folder(), database, nullptr}; }
    // Beside a running server.
    std::unique_ptr<Session> reader() const {
        if (!database.empty()) return open_postgres(database, kEndlessPatience);
        if (!fs::exists(file()))
            throw StoreError(StoreFault::Other, "there is no data in " + folder().string());
        return open_sqlite(file(), SqliteAccess::ReadOnly);
    }
};

void add_place(CLI::App* command, Place& place) {
    command->add_option("--data", place.data, "Folder of the data")->envname("ROKADA_DATA");
    command->add_option("--db", place.database, "postgres://... instead of the built-in database")
        ->envname("ROKADA_DB");
}

int guarded(const char* name, const std::function<int()>& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        fmt::print(stderr, "rokada {}: {}\n", name, error.what());
        return 1;
    }
}

int backup(const Place& place, const std::string& file) {
    const DumpSummary summary = write_dump_file(*place.reader(), file);
    fmt::print("{}: {} rows, schema {}\n", file, summary.rows, summary.schema);
    return 0;
}

int verify(const Place& place, const std::string& file) {
    if (!file.empty()) {
        std::ifstream in(file, std::ios::binary);
        if (!in) throw StoreError(StoreFault::InputOutput, "cannot read " + file);
        const DumpSummary summary = verify_dump(in);
        fmt::print("{} is complete: {} rows, schema {}\n", file, summary.rows, summary.schema);
        return 0;
    }
    if (place.database.empty()) {
        const std::string problems = check_sqlite(place.file());
        if (!problems.empty()) throw StoreError(StoreFault::Corrupt, problems);
    }
    const auto session = place.reader();
    fmt::print("The data is sound (schema {}).\n", schema_version(*session));
    return 0;
}

DumpSummary restore_sqlite(const Place& place, std::istream& in) {
    const DataLock lock(place.folder());
    const fs::path fresh = place.folder() / "restored.db";
    fs::remove(fresh);
    DumpSummary summary;
    {
        const auto session = open_sqlite(fresh, SqliteAccess::ReadWrite);
        summary = read_dump(*session, in);
    }
    if (const std::string problems = check_sqlite(fresh); !problems.empty())
        throw StoreError(StoreFault::Corrupt, problems);
    if (fs::exists(place.file())) {
        const fs::path aside = place.folder() / "rokada.db.before-restore";
        copy_sqlite(place.file(), aside);
        for (const char* ending : {"", "-wal", "-shm"}) fs::remove(place.file().string() + ending);
        fmt::print("The data before is kept as {}\n", aside.string());
    }
    copy_sqlite(fresh, place.file());
    for (const char* ending : {"", "-wal", "-shm"}) fs::remove(fresh.string() + ending);
    return summary;
}

// Nobody else writes meanwhile, and whoever reads sees all of it or nothing.
DumpSummary restore_postgres(const Place& place, std::istream& in) {
    const auto session = open_postgres(place.database, kEndlessPatience, PostgresUse::Anything,
                                       PostgresClaim::Alone);
    database_claim::check_that_no_node_lives(*session);
    if (schema_version(*session) > 0) {
        fs::create_directories(place.folder());
        const fs::path aside = place.folder() / "before-restore.dump";
        write_dump_file(*session, aside);
        fmt::print("The data before is kept as {}\n", aside.string());
    }
    return read_dump(*session, in, DataBefore::Replaced);
}

int restore(const Place& place, const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw StoreError(StoreFault::InputOutput, "cannot read " + file);
    verify_dump(in);  // nothing is touched before the file is known to be whole
    in.clear();
    in.seekg(0);
    const DumpSummary summary =
        place.database.empty() ? restore_sqlite(place, in) : restore_postgres(place, in);
    fmt::print("Restored {} rows.\n", summary.rows);
    return 0;
}

// One clear line when the words make no sense.
std::optional<std::string> wrong_words(const std::string& action,
                                       const std::vector<std::string>& names) {
    constexpr std::array<std::string_view, 8> kWithNames{"add", "passwd", "admin",   "no-admin",
                                                         "bot", "no-bot", "disable", "enable"};
    if (action == "list") return std::nullopt;
    if (std::find(kWithNames.begin(), kWithNames.end(), action) == kWithNames.end())
        return "there is no action " + action +
               "; there are list, add, passwd, admin, no-admin, bot, no-bot, disable, enable";
    if (names.empty()) return action + " whom? Give one or more user names";
    return std::nullopt;
}

int user(const Place& place, const std::string& action, const std::vector<std::string>& names) {
    // Beside a running server: the writes of both go through the database's own lock.
    Store store(place.options(), StoreSharing::Shared);
    SystemTime time;
    SystemRandom random;
    Administration administration(store, time, random, {});
    const std::string who = "command line";
    if (action == "list") {
        const auto users =
            store.read([](Session& session) { return admin_table::users(session, "", 100'000); });
        for (const UserRecord& record : users)
            fmt::print("{}{}{}{}\n", record.name, record.admin ? " (administrator)" : "",
                       record.bot ? " (bot)" : "", record.disabled ? " (disabled)" : "");
        return 0;
    }
    int failed = 0;
    for (const std::string& name : names) {
        std::optional<AccountProblem> problem;
        std::string done = "done";
        if (action == "add" || action == "passwd") {
            const auto slip = action == "add" ? administration.add_user(who, name, "")
                                              : administration.reset_password(who, name, "");
            if (slip) done = "password " + slip->password;
            if (!slip) problem = slip.error();
        } else if (action == "admin" || action == "no-admin") {
            problem = administration.set_admin(who, name, action == "admin");
        } else if (action == "bot" || action == "no-bot") {
            problem = administration.set_bot(who, name, action == "bot");
        } else {
            problem = administration.set_disabled(who, name, action == "disable");
        }
        fmt::print("{}: {}\n", name, problem ? problem->message : done);
        failed += problem ? 1 : 0;
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace

void add_server_data(CLI::App& app, int& exit_code) {
    struct Options {
        Place place;
        std::string file, action;
        std::vector<std::string> names;
    };
    auto options = std::make_shared<Options>();

    CLI::App* command =
        app.add_subcommand("backup", "Write all data of a server to one file, also while it runs");
    add_place(command, options->place);
    command->add_option("FILE", options->file, "The file to write")->required();
    command->callback([options, &exit_code] {
        exit_code = guarded("backup", [&] { return backup(options->place, options->file); });
    });

    command = app.add_subcommand("verify", "Check a backup file, or the data of a server");
    add_place(command, options->place);
    command->add_option("FILE", options->file, "The backup; without it the data itself");
    command->callback([options, &exit_code] {
        exit_code = guarded("verify", [&] { return verify(options->place, options->file); });
    });

    command = app.add_subcommand("restore", "Replace the data of a stopped server by a backup");
    add_place(command, options->place);
    command->add_option("FILE", options->file, "The backup")->required();
    command->callback([options, &exit_code] {
        exit_code = guarded("restore", [&] { return restore(options->place, options->file); });
    });

    command = app.add_subcommand(
        "user", "People of a server: list, add, passwd, admin, bot, disable, enable");
    add_place(command, options->place);
    command
        ->add_option("ACTION", options->action,
                     "list, add, passwd, admin, no-admin, bot, no-bot, disable, enable")
        ->required();
    command->add_option("NAME", options->names, "One or more user names");
    command->callback([options, &exit_code] {
        if (const auto wrong = wrong_words(options->action, options->names)) {
            fmt::print(stderr, "rokada user: {}\n", *wrong);
            exit_code = 2;
            return;
        }
        exit_code =
            guarded("user", [&] { return user(options->place, options->action, options->names); });
    });
}

}  // namespace rokada::cli
