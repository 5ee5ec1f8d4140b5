// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/training/trainer.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numbers>
#include <random>
#include <thread>

namespace rokada::lab {

namespace {

constexpr float kBeta1 = 0.9f, kBeta2 = 0.999f, kEpsilon = 1e-8f, kDecay = 0.01f;

std::string write_atomically(const std::string& path, const void* bytes, std::size_t size) {
    const std::string part = path + ".part";
    std::ofstream file(part, std::ios::binary);
    file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    file.close();
    if (!file || std::rename(part.c_str(), path.c_str()) != 0) return path + ": cannot be written";
    return "";
}

struct CheckpointHeader {
    char magic[8];
    std::uint64_t samples;  // done so far
    // What decides, with the data, how the network comes out to the last bit.
    std::uint64_t hidden, total, batch, seed, records, threads;
    double rate, final_rate, result_share, score_scale;
};
constexpr char kCheckpointMagic[9] = "ROKTRAI2";

CheckpointHeader header_of(const TrainingPlan& plan, const DataSet& data) {
    CheckpointHeader header{};
    std::memcpy(header.magic, kCheckpointMagic, sizeof header.magic);
    header.hidden = static_cast<std::uint64_t>(plan.hidden);
    header.total = plan.samples;
    header.batch = static_cast<std::uint64_t>(plan.batch);
    header.seed = plan.seed;
    header.records = data.training.size();
    header.threads = static_cast<std::uint64_t>(plan.threads);
    header.rate = plan.rate;
    header.final_rate = plan.final_rate;
    header.result_share = static_cast<double>(plan.target.result_share);
    header.score_scale = static_cast<double>(plan.target.score_scale);
    return header;
}

// The parts of the plan that are not the same, for one line of text; empty if all are.
std::string differences(const CheckpointHeader& a, const CheckpointHeader& b) {
    std::string names;
    const auto compare = [&](auto CheckpointHeader::* part, const char* name) {
        if (a.*part != b.*part) names += (names.empty() ? "" : ", ") + std::string(name);
    };
    compare(&CheckpointHeader::hidden, "width");
    compare(&CheckpointHeader::total, "samples");
    compare(&CheckpointHeader::batch, "batch");
    compare(&CheckpointHeader::seed, "seed");
    compare(&CheckpointHeader::records, "data");
    compare(&CheckpointHeader::threads, "threads");
    compare(&CheckpointHeader::rate, "rate");
    compare(&CheckpointHeader::final_rate, "final rate");
    compare(&CheckpointHeader::result_share, "result share");
    compare(&CheckpointHeader::score_scale, "score scale");
    return names;
}

}  // namespace

// A fixed team of threads, each with its own gradient; work is split the same way every time.
class Trainer::Team {
  public:
    Team(int size, int hidden, std::size_t values)
        : gradients_(static_cast<std::size_t>(size), std::vector<float>(values)),
          begin_(size + 1),
          end_(size + 1) {
        for (int i = 0; i < size; ++i) workers_.emplace_back(hidden);
        for (int i = 0; i < size; ++i)
            threads_.emplace_back([this, i] {
                for (;;) {
                    begin_.arrive_and_wait();
                    if (quit_) return;
                    (*task_)(i);
                    end_.arrive_and_wait();
                }
            });
    }
    ~Team() {
        quit_ = true;
        begin_.arrive_and_wait();
        for (std::thread& t : threads_) t.join();
    }
    int size() const { return static_cast<int>(threads_.size()); }
    GradientWorker& worker(int i) { return workers_[static_cast<std::size_t>(i)]; }
    std::vector<float>& gradient(int i) { return gradients_[static_cast<std::size_t>(i)]; }
    void run(const std::function<void(int)>& task) {
        task_ = &task;
        begin_.arrive_and_wait();
        end_.arrive_and_wait();
    }

  private:
    std::vector<GradientWorker> workers_;
    std::vector<std::vector<float>> gradients_;
    std::barrier<> begin_, end_;
    const std::function<void(int)>* task_ = nullptr;
    bool quit_ = false;
    std::vector<std::thread> threads_;
};

Trainer::Trainer(TrainingPlan plan, const DataSet& data)
    : plan_(std::move(plan)),
      data_(data),
      model_(plan_.hidden),
      mean_(model_.values.size()),
      variance_(model_.values.size()),
      team_(std::make_unique<Team>(plan_.threads, plan_.hidden, model_.values.size())) {
    model_.initialise(plan_.seed);
}

Trainer::~Trainer() = default;

void Trainer::start_epoch(std::uint64_t epoch) {
    if (epoch == epoch_) return;
    epoch_ = epoch;
    order_.resize(data_.training.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    std::mt19937_64 random(plan_.seed * 1'000'003 + epoch);
    std::shuffle(order_.begin(), order_.end(), random);
}

void Trainer::step(std::uint64_t begin) {
    const auto batch = static_cast<std::size_t>(plan_.batch);
    std::vector<const Record*> records(batch);
    for (std::size_t i = 0; i < batch; ++i) {
        const std::uint64_t at = begin + i;
        start_epoch(at / data_.training.size());
        records[i] = &data_.training[order_[at % data_.training.size()]];
        __builtin_prefetch(records[i]);
    }
    const auto team = static_cast<std::size_t>(team_->size());
    std::vector<double> losses(team);
    team_->run([&](int i) {
        const auto me = static_cast<std::size_t>(i);
        const std::size_t from = batch * me / team, to = batch * (me + 1) / team;
        auto& gradient = team_->gradient(i);
        std::fill(gradient.begin(), gradient.end(), 0.0f);
        losses[me] = team_->worker(i).run(model_, records.data() + from, to - from, plan_.target,
                                          gradient.data());
    });
    for (const double loss : losses) loss_sum_ += loss;

    const double progress = static_cast<double>(begin) / static_cast<double>(plan_.samples);
    const double cosine = 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(progress, 1.0)));
    const auto rate =
        static_cast<float>(plan_.final_rate + (plan_.rate - plan_.final_rate) * cosine);
    const std::uint64_t done = begin / batch;
    const double steps = static_cast<double>(done) + 1;
    const auto correct1 =
        static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(kBeta1), steps)));
    const auto correct2 =
        static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(kBeta2), steps)));
    const float share = 1.0f / static_cast<float>(batch);
    team_->run([&](int i) {
        const auto me = static_cast<std::size_t>(i);
        const std::size_t size = model_.values.size();
        const std::size_t from = size * me / team, to = size * (me + 1) / team;
        for (std::size_t n = from; n < to; ++n) {
            float g = 0;
            for (std::size_t t = 0; t < team; ++t) g += team_->gradient(static_cast<int>(t))[n];
            g *= share;
            mean_[n] = kBeta1 * mean_[n] + (1 - kBeta1) * g;
            variance_[n] = kBeta2 * variance_[n] + (1 - kBeta2) * g * g;
            model_.values[n] -=
                rate * (mean_[n] * correct1 / (std::sqrt(variance_[n] * correct2) + kEpsilon) +
                        kDecay * model_.values[n]);
        }
    });
    model_.clip();
}

double Trainer::held_out_loss() {
    const std::size_t count = std::min<std::size_t>(data_.held_out.size(), 400'000);
    if (count == 0) return 0;
    std::vector<const Record*> records(count);
    for (std::size_t i = 0; i < count; ++i)
        records[i] = &data_.held_out[i * data_.held_out.size() / count];
    const auto team = static_cast<std::size_t>(team_->size());
    std::vector<double> losses(team);
    team_->run([&](int i) {
        const auto me = static_cast<std::size_t>(i);
        const std::size_t from = count * me / team, to = count * (me + 1) / team;
        losses[me] =
            team_->worker(i).run(model_, records.data() + from, to - from, plan_.target, nullptr);
    });
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum / static_cast<double>(count);
}

std::string Trainer::save() {
    if (!plan_.output.empty()) {
        const auto file = model_.quantise(plan_.name);
        if (auto problem = write_atomically(plan_.output, file.data(), file.size());
            !problem.empty())
            return problem;
    }
    if (plan_.checkpoint.empty()) return "";
    CheckpointHeader header = header_of(plan_, data_);
    header.samples = samples_;
    std::vector<char> bytes(sizeof header + 3 * sizeof(float) * model_.values.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    char* at = bytes.data() + sizeof header;
    for (const auto* values : {&model_.values, &mean_, &variance_}) {
        std::memcpy(at, values->data(), values->size() * sizeof(float));
        at += values->size() * sizeof(float);
    }
    return write_atomically(plan_.checkpoint, bytes.data(), bytes.size());
}

std::string Trainer::resume() {
    std::ifstream file(plan_.checkpoint, std::ios::binary);
    if (!file) return "";
    CheckpointHeader header{};
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    if (!file || std::memcmp(header.magic, kCheckpointMagic, sizeof header.magic) != 0)
        return plan_.checkpoint + ": not a training checkpoint of this version";
    if (const auto names = differences(header, header_of(plan_, data_)); !names.empty())
        return plan_.checkpoint + ": belongs to another plan (different: " + names + ")";
    for (auto* values : {&model_.values, &mean_, &variance_})
        file.read(reinterpret_cast<char*>(values->data()),
                  static_cast<std::streamsize>(values->size() * sizeof(float)));
    if (!file) return plan_.checkpoint + ": is cut off";
    samples_ = header.samples;
    return "";
}

std::string Trainer::run(const std::function<void(const TrainingReport&)>& on_report,
                         const std::function<bool()>& keep_going) {
    if (data_.training.empty()) return "no positions to train on";
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t resumed = samples_;
    std::uint64_t reported = samples_;
    std::ofstream log;
    if (!plan_.log.empty()) {
        log.open(plan_.log, samples_ > 0 ? std::ios::app : std::ios::trunc);
        if (samples_ == 0) log << "samples,seconds,rate,training_loss,held_out_loss\n";
    }
    while (samples_ < plan_.samples) {
        step(samples_);
        samples_ += static_cast<std::uint64_t>(plan_.batch);
        const bool last = samples_ >= plan_.samples || !keep_going();
        if (!last && samples_ - reported < plan_.report_every) continue;
        TrainingReport report;
        report.samples = samples_;
        report.total = plan_.samples;
        report.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        report.samples_per_second = static_cast<double>(samples_ - resumed) / report.seconds;
        const double progress = static_cast<double>(samples_) / static_cast<double>(plan_.samples);
        report.rate =
            plan_.final_rate + (plan_.rate - plan_.final_rate) * 0.5 *
                                   (1 + std::cos(std::numbers::pi * std::min(progress, 1.0)));
        report.training_loss = loss_sum_ / static_cast<double>(samples_ - reported);
        report.held_out_loss = held_out_loss();
        loss_sum_ = 0;
        reported = samples_;
        if (log.is_open())
            log << report.samples << ',' << report.seconds << ',' << report.rate << ','
                << report.training_loss << ',' << report.held_out_loss << std::endl;
        if (on_report) on_report(report);
        if (auto problem = save(); !problem.empty()) return problem;
        if (last && samples_ < plan_.samples) return "stopped";
    }
    return "";
}

}  // namespace rokada::lab
