// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace rokada::lab {

namespace {

class StagedSchedule : public Schedule {
  public:
    explicit StagedSchedule(const ScheduleSettings& settings) : settings_(settings) {}

  protected:
    // Appends one opening between two engines: a game, and with swapped colours another one.
    void add_pair(std::vector<Pairing>& stage, std::size_t first, std::size_t second, int games) {
        for (int i = 0; i < games; ++i) {
            const bool swapped = settings_.swap ? i % 2 == 1 : (pairs_ + i) % 2 == 1;
            Pairing pairing{++games_, swapped ? second : first, swapped ? first : second, pairs_,
                            round_};
            stage.push_back(pairing);
            all_.push_back(pairing);
        }
        ++pairs_;
    }
    void add_encounter(std::vector<Pairing>& stage, std::size_t first, std::size_t second,
                       int games) {
        const int per_pair = settings_.swap ? 2 : 1;
        for (int played = 0; played < games; played += per_pair)
            add_pair(stage, first, second, std::min(per_pair, games - played));
    }
    // What the first one has scored against the second, in half points, minus what the second has.
    int difference(const GamePoints& points, std::size_t first, std::size_t second) const {
        int balance = 0;
        for (const Pairing& game : all_) {
            const auto& result = points[static_cast<std::size_t>(game.number - 1)];
            if (!result) continue;
            if (game.white == first && game.black == second) balance += 2 * *result - 2;
            if (game.white == second && game.black == first) balance -= 2 * *result - 2;
        }
        return balance;
    }

    ScheduleSettings settings_;
    std::vector<Pairing> all_;
    int games_ = 0, pairs_ = 0, round_ = 1;
};

// Everyone against everyone, or the first against everyone; openings advance in step for all
// encounters.
class AllPlayAll : public StagedSchedule {
  public:
    using StagedSchedule::StagedSchedule;

    std::vector<Pairing> next_stage(const GamePoints&) override {
        std::vector<Pairing> stage;
        if (done_) return stage;
        done_ = true;
        const std::size_t firsts = settings_.format == Format::Gauntlet ? 1 : settings_.engines;
        const int per_pair = settings_.swap ? 2 : 1;
        for (int played = 0; played < settings_.games; played += per_pair, ++round_)
            for (std::size_t i = 0; i < firsts; ++i)
                for (std::size_t j = i + 1; j < settings_.engines; ++j)
                    add_pair(stage, i, j, std::min(per_pair, settings_.games - played));
        return stage;
    }

  private:
    bool done_ = false;
};

// Engines are seeded in the order given; a tied encounter gets another pair of games, at most ten
// times, then the better seed goes on.
class Knockout : public StagedSchedule {
  public:
    explicit Knockout(const ScheduleSettings& settings) : StagedSchedule(settings) {
        alive_.resize(settings.engines);
        std::iota(alive_.begin(), alive_.end(), std::size_t{0});
    }

    std::vector<Pairing> next_stage(const GamePoints& points) override {
        std::vector<Pairing> stage;
        if (!encounters_.empty() && replay_ties(points, stage)) return stage;
        if (!encounters_.empty()) advance(points);
        if (alive_.size() < 2) return stage;
        pair_up();
        for (const auto& [first, second] : encounters_)
            add_encounter(stage, first, second, settings_.games);
        return stage;
    }

  private:
    using Encounter = std::pair<std::size_t, std::size_t>;

    void pair_up() {
        // Best against worst; with an odd number the best has a free round.
        byes_.clear();
        encounters_.clear();
        std::size_t low = 0, high = alive_.size() - 1;
        // The first round brings the field to a power of two.
        std::size_t power = 1;
        while (power * 2 <= alive_.size()) power *= 2;
        const std::size_t matches = alive_.size() == power ? power / 2 : alive_.size() - power;
        const std::size_t free = alive_.size() - 2 * matches;
        while (low < free) byes_.push_back(alive_[low++]);
        while (low < high) encounters_.emplace_back(alive_[low++], alive_[high--]);
        replays_ = 0;
    }
    bool replay_ties(const GamePoints& points, std::vector<Pairing>& stage) {
        if (replays_ >= 10) return false;
        for (const auto& [first, second] : encounters_)
            if (difference(points, first, second) == 0) add_encounter(stage, first, second, 2);
        ++replays_;
        return !stage.empty();
    }
    void advance(const GamePoints& points) {
        alive_ = byes_;
        for (const auto& [first, second] : encounters_)
            alive_.push_back(difference(points, first, second) >= 0 ? first : second);
        std::sort(alive_.begin(), alive_.end());
        encounters_.clear();
        ++round_;
    }

    std::vector<std::size_t> alive_, byes_;
    std::vector<Encounter> encounters_;
    int replays_ = 0;
};

// Neighbours in the standings meet, nobody twice while that can be avoided; an odd one out gets a
// free round once.
class Swiss : public StagedSchedule {
  public:
    explicit Swiss(const ScheduleSettings& settings)
        : StagedSchedule(settings),
          scores_(settings.engines, 0),
          had_bye_(settings.engines, false) {
        rounds_ = settings.rounds;
        if (rounds_ == 0)
            for (std::size_t n = 1; n < settings.engines; n *= 2) ++rounds_;
        rounds_ = std::min(rounds_, static_cast<int>(settings.engines) * 2);
    }

    std::vector<Pairing> next_stage(const GamePoints& points) override {
        std::vector<Pairing> stage;
        if (round_ > rounds_) return stage;
        count(points);
        std::vector<std::size_t> order(settings_.engines);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [this](std::size_t a, std::size_t b) { return scores_[a] > scores_[b]; });
        if (order.size() % 2 == 1) give_bye(order);
        std::vector<std::pair<std::size_t, std::size_t>> found;
        int effort = 100'000;
        if (!pair_rest(order, found, true, effort)) {
            found.clear();
            effort = 100'000;
            pair_rest(order, found, false, effort);
        }
        for (const auto& [first, second] : found) {
            met_.insert({std::min(first, second), std::max(first, second)});
            add_encounter(stage, first, second, settings_.games);
        }
        ++round_;
        return stage;
    }

  private:
    void count(const GamePoints& points) {
        std::fill(scores_.begin(), scores_.end(), 0);
        for (const Pairing& game : all_) {
            const auto& result = points[static_cast<std::size_t>(game.number - 1)];
            if (!result) continue;
            scores_[game.white] += *result;
            scores_[game.black] += 2 - *result;
        }
        for (std::size_t i = 0; i < had_bye_.size(); ++i)
            if (had_bye_[i]) scores_[i] += 2 * settings_.games;
    }
    void give_bye(std::vector<std::size_t>& order) {
        auto last = std::find_if(order.rbegin(), order.rend(),
                                 [this](std::size_t engine) { return !had_bye_[engine]; });
        if (last == order.rend()) last = order.rbegin();
        had_bye_[*last] = true;
        order.erase(std::next(last).base());
    }
    bool pair_rest(std::vector<std::size_t> left,
                   std::vector<std::pair<std::size_t, std::size_t>>& found, bool new_only,
                   int& effort) {
        if (left.empty()) return true;
        if (--effort < 0) return false;
        const std::size_t first = left.front();
        for (std::size_t i = 1; i < left.size(); ++i) {
            const std::size_t second = left[i];
            if (new_only && met_.count({std::min(first, second), std::max(first, second)}) > 0)
                continue;
            std::vector<std::size_t> rest;
            for (std::size_t k = 1; k < left.size(); ++k)
                if (k != i) rest.push_back(left[k]);
            found.emplace_back(first, second);
            if (pair_rest(std::move(rest), found, new_only, effort)) return true;
            found.pop_back();
        }
        return false;
    }

    std::vector<int> scores_;
    std::vector<bool> had_bye_;
    std::set<std::pair<std::size_t, std::size_t>> met_;
    int rounds_ = 0;
};

}  // namespace

std::unique_ptr<Schedule> Schedule::make(const ScheduleSettings& settings) {
    switch (settings.format) {
        case Format::Knockout: return std::make_unique<Knockout>(settings);
        case Format::Swiss: return std::make_unique<Swiss>(settings);
        case Format::RoundRobin:
        case Format::Gauntlet: break;
    }
    return std::make_unique<AllPlayAll>(settings);
}

}  // namespace rokada::lab
