// The engine as one of the peers of the load harness: the same scripted loop of three attempts,
// with a judge and a reflector, against its fake server.
//
//   build/bench/hone_peer --base http://127.0.0.1:PORT/v1 --mode once|load --n LOOPS --c AT_ONCE
//
// Prints one line `HB {json}` with what was returned and what it cost. `--state DIR` journals the
// runs there; `--stream` asks for drafts.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/loop.h"
#include "hone/evaluate/judge.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/recorder.h"
#include "hone/model/budgeted.h"
#include "hone/model/openai.h"
#include "hone/model/retried.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"

namespace {

using namespace hone;
using Seconds = std::chrono::duration<double>;

constexpr int kAttempts = 3;
constexpr std::size_t kWarmUp = 1'000'000;

struct Arguments {
  std::string base;
  std::string mode = "once";
  std::string state;
  std::size_t loops = 1;
  std::size_t at_once = 1;
  double deadline = 90;
  bool stream = false;
};

Arguments read(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--stream") {
      arguments.stream = true;
      continue;
    }
    if (i + 1 == words.size()) throw Error(ErrorKind::InvalidInput, word + " needs a value");
    const std::string& value = words[++i];
    if (word == "--base") arguments.base = value;
    if (word == "--mode") arguments.mode = value;
    if (word == "--state") arguments.state = value;
    if (word == "--n") arguments.loops = std::stoul(value);
    if (word == "--c") arguments.at_once = std::stoul(value);
    if (word == "--deadline") arguments.deadline = std::stod(value);
  }
  return arguments;
}

core::Task task_of(std::size_t number) {
  core::Task task;
  task.name = std::to_string(number);
  task.type = "code";
  task.system = "You are a careful Python programmer. Answer with code and a short explanation.";
  task.prompt = fmt::format(
      "[[hb:task={}]] Write a Python function parse_iso(text) that turns an ISO date such as "
      "2024-03-01 into a tuple (year, month, day) of integers. Reject strings that are not a date "
      "with a clear ValueError. Do not use the standard library. Answer with the code followed by "
      "a short explanation of at most three sentences.",
      number);
  return task;
}

// The server tells the roles apart by a mark; judges have theirs in the rubric.
constexpr std::string_view kJudge = "[[hb:judge]]";
constexpr std::string_view kReflect = " [[hb:reflect]]";

class Marked final : public core::Model {
 public:
  explicit Marked(std::unique_ptr<core::Model> model) : model_(std::move(model)) {}
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    if (request.role != core::Role::Reflect) return model_->complete(std::move(context), request);
    return complete_marked(std::move(context), request);
  }
  std::string name() const override { return model_->name(); }

 private:
  async<core::ModelReply> complete_marked(core::Context context,
                                          const core::ModelRequest& request) {
    const auto marked = std::make_unique<core::ModelRequest>(request);
    std::string& text = marked->messages.back().text;
    text.reserve(text.size() + kReflect.size());  // Without it twice as much.
    text += kReflect;
    co_return co_await model_->complete(std::move(context), *marked);
  }

  std::unique_ptr<core::Model> model_;
};

double cpu() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// A line of /proc/self/status, in its own unit.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word) {
    double value = 0;
    if (word == name + ":" && file >> value) return value;
  }
  return 0;
}
double megabytes(const std::string& name) { return status(name) / 1024; }

std::string version_in(const std::string& text) {
  const std::string mark = "[[hb:v=";
  const auto at = text.rfind(mark);
  if (at == std::string::npos) return "none";
  const auto digits = text.find_first_not_of("0123456789", at + mark.size());
  return text.substr(at + mark.size(), digits - at - mark.size());
}

// What outlives the loops.
class Engine {
 public:
  explicit Engine(const Arguments& arguments) : arguments_(arguments) {
    model::HttpModelOptions options;
    options.name = "openai:hb-model";
    options.model = "hb-model";
    options.base_url = arguments.base;
    net::HttpClient client({.connections_per_host = 1000});
    auto provider = std::make_unique<model::OpenAi>(options, client);
    auto marked = std::make_unique<Marked>(std::move(provider));
    model_ = std::make_unique<model::Retried>(std::move(marked));
    cast_ = std::make_unique<Cast>(*model_);
    if (arguments.state.empty()) return;
    journal_ = std::make_unique<journal::Journal>(
        journal::JournalOptions{.path = arguments.state + "/store.db"});
  }

  async<void> loop(std::size_t number, std::string& output) {
    if (journal_ != nullptr) return journaled_loop(number, output);
    return loop_over(number, nobody_, *cast_, output);
  }

 private:
  async<void> journaled_loop(std::size_t number, std::string& output) {
    journal::RunHeader header;
    header.run = fmt::format("run{:010}", number);
    header.task_name = "bench";
    header.task.text = header.options.text = "{}";
    header.process = journal::this_process();
    const auto recording = journal::Recording::record(*journal_, header);
    journal::JournaledModel journaled(*recording, *model_);
    journal::Recorder recorder(*recording, nobody_);
    const auto cast = std::make_unique<Cast>(journaled);
    co_await loop_over(number, recorder, *cast, output);
    co_await recording->close();
  }

  // The roles over one provider.
  struct Cast {
    explicit Cast(core::Model& provider)
        : generator(provider), reflector(provider), reviser(provider), judge(provider, judging()) {}
    // The judges of the other engines are asked how correct the answer is, too.
    static evaluate::JudgeOptions judging() {
      return {.rubric = std::string(kJudge), .criteria = "correctness"};
    }
    core::Roles roles() { return {generator, judge, reflector, reviser, memory}; }

    reflect::ModelGenerator generator;
    reflect::ModelReflector reflector;
    reflect::Regenerate reviser;
    evaluate::Judge judge;
    core::NoMemory memory;
  };

  async<core::Run> run_of(std::size_t number, core::Ledger& ledger, core::EventSink& events,
                          Cast& cast) {
    core::Context context;
    context.run = std::to_string(number);
    context.ledger = &ledger;
    context.events = &events;
    context.clock = &clock_;
    context.random = &random_;
    core::LoopOptions options;
    options.stop.attempts = kAttempts;
    return core::reflect(context, task_of(number), cast.roles(), options);
  }

  async<void> loop_over(std::size_t number, core::EventSink& events, Cast& cast,
                        std::string& output) {
    core::Ledger ledger;
    auto running = run_of(number, ledger, events, cast);
    const core::Run run = co_await std::move(running);
    const core::Attempt* chosen = run.find_selected();
    if (chosen == nullptr) throw Error(ErrorKind::Unavailable, run.stop->detail);
    output = chosen->output.text;
  }

  const Arguments arguments_;
  std::unique_ptr<core::Model> model_;
  std::unique_ptr<Cast> cast_;  // Of the loops that are not journaled.
  std::unique_ptr<journal::Journal> journal_;
  core::NoEvents nobody_;
  SystemClock clock_;
  core::SeededRandom random_{1};
};

// What came of many loops.
struct Tally {
  std::map<std::string, int> versions;
  std::map<std::string, int> errors;
  std::vector<double> seconds;
};

async<void> timed(Engine& engine, std::size_t number, Tally& tally) {
  const auto began = std::chrono::steady_clock::now();
  std::string output;
  std::string problem;
  try {
    co_await engine.loop(number, output);
  } catch (const Error& error) {
    problem = error.message();
  }
  if (!problem.empty()) {
    ++tally.errors[problem];
    co_return;
  }
  ++tally.versions[version_in(output)];
  tally.seconds.push_back(Seconds(std::chrono::steady_clock::now() - began).count());
}

async<void> load(Engine& engine, const Arguments& arguments, Tally& tally, Json& report) {
  Tally warm;
  co_await timed(engine, kWarmUp, warm);
  report["rss_after1_mb"] = megabytes("VmRSS");
  const double cpu_before = cpu();
  const auto began = std::chrono::steady_clock::now();
  const auto late = began + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                Seconds(arguments.deadline));
  const auto nothing = []() -> async<void> { co_return; };
  const auto start = [&](std::size_t i) {
    return std::chrono::steady_clock::now() > late ? nothing() : timed(engine, i + 1, tally);
  };
  co_await for_each_index(arguments.loops, arguments.at_once, start);
  const double wall = Seconds(std::chrono::steady_clock::now() - began).count();
  const double used = cpu() - cpu_before;
  const auto done = static_cast<double>(std::max<std::size_t>(1, tally.seconds.size()));
  report["wall_s"] = wall;
  report["cpu_s"] = used;
  report["cpu_ms_per_loop"] = 1000 * used / done;
  report["loops_per_s"] = done / wall;
}

Json load_report(Engine& engine, const Arguments& arguments) {
  Json report = {{"mode", "load"}, {"n", arguments.loops}, {"c", arguments.at_once}};
  Tally tally;
  run_sync([&] { return load(engine, arguments, tally, report); });
  std::ranges::sort(tally.seconds);
  report["done"] = tally.seconds.size();
  report["errors"] = tally.errors;
  report["versions"] = tally.versions;
  report["rss_end_mb"] = megabytes("VmRSS");
  report["rss_peak_mb"] = megabytes("VmHWM");
  report["threads_end"] = status("Threads");
  if (!tally.seconds.empty()) {
    report["p50_s"] = tally.seconds[tally.seconds.size() / 2];
    report["p99_s"] = tally.seconds[tally.seconds.size() * 99 / 100];
  }
  return report;
}

async<void> once(Engine& engine, Tally& tally) { co_await timed(engine, 1, tally); }

Json once_report(Engine& engine) {
  Tally tally;
  const double before = cpu();
  const auto began = std::chrono::steady_clock::now();
  run_sync([&] { return once(engine, tally); });
  Json report = {{"ok", tally.errors.empty()},
                 {"wall_s", Seconds(std::chrono::steady_clock::now() - began).count()},
                 {"first_loop_cpu_s", cpu() - before},
                 {"rss_after1_mb", megabytes("VmRSS")}};
  if (tally.errors.empty()) {
    report["version"] = parse_json(tally.versions.begin()->first);
  } else {
    report["error"] = "Error";
    report["message"] = tally.errors.begin()->first;
  }
  return report;
}

}  // namespace

int main(int count, char** words) {
  try {
    const double started = cpu();
    const Arguments arguments = read({words + 1, words + count});
    Engine engine(arguments);
    const double ready = cpu();
    const double resident = megabytes("VmRSS");
    Json report = arguments.mode == "load" ? load_report(engine, arguments) : once_report(engine);
    report["peer"] = "hone";
    report["start_cpu_s"] = started;
    report["import_cpu_s"] = ready - started;
    report["rss_import_mb"] = resident;
    fmt::print("HB {}\n", dump(report));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hone_peer: {}\n", error.what());
    return 1;
  }
}
