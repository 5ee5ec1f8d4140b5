// SPDX-License-Identifier: GPL-3.0-or-later
// rokada backup | restore | verify | user: administration of a server's data.
#include <filesystem>
#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "server/app/administration.hpp"
#include "server/store/dump.hpp"
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
    const fs::path part = file + ".part";
    {
        std::ofstream out(part, std::ios::binary | std::ios::trunc);
        if (!out) throw StoreError(StoreFault::InputOutput, "cannot write " + part.string());
        fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write);
        write_dump(*place.reader(), out);
    }
    std::ifstream in(part, std::ios::binary);
    const DumpSummary summary = verify_dump(in);
    fs::rename(part, file);
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

int restore(const Place& place, const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw StoreError(StoreFault::InputOutput, "cannot read " + file);
    verify_dump(in);  // nothing is touched before the file is known to be whole
    in.clear();
    in.seekg(0);
    DumpSummary summary;
    if (!place.database.empty()) {
        summary = read_dump(*open_postgres(place.database, kEndlessPatience), in);
    } else {
        const DataLock lock(place.folder());
        const fs::path fresh = place.folder() / "restored.db";
        fs::remove(fresh);
        {
            const auto session = open_sqlite(fresh, SqliteAccess::ReadWrite);
            summary = read_dump(*session, in);
        }
        if (const std::string problems = check_sqlite(fresh); !problems.empty())
            throw StoreError(StoreFault::Corrupt, problems);
        if (fs::exists(place.file())) {
            const fs::path aside = place.folder() / "rokada.db.before-restore";
            copy_sqlite(place.file(), aside);
            for (const char* ending : {"", "-wal", "-shm"})
                fs::remove(place.file().string() + ending);
            fmt::print("The data before is kept as {}\n", aside.string());
        }
        copy_sqlite(fresh, place.file());
        for (const char* ending : {"", "-wal", "-shm"}) fs::remove(fresh.string() + ending);
    }
    fmt::print("Restored {} rows.\n", summary.rows);
    return 0;
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
        } else if (action == "disable" || action == "enable") {
            problem = administration.set_disabled(who, name, action == "disable");
        } else {
            throw StoreError(StoreFault::Other, "unknown action " + action);
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
        exit_code =
            guarded("user", [&] { return user(options->place, options->action, options->names); });
    });
}

}  // namespace rokada::cli
