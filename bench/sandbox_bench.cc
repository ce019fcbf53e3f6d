// What a call in the sandbox costs: reused and fresh processes, the kill at the deadline, memory.
// Fresh calls are measured twice: as they come when there is a little time between them (a process
// is ready), and one directly after the other (each waits for its process to be made).
//
//   build/bench/sandbox_bench [hone-worker]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "hone/sandbox/sandbox.h"
#include "hone/sandbox/zygote.h"

namespace {

using hone::core::CodeRequest;
using hone::core::Language;
using Microseconds = std::chrono::duration<double, std::micro>;

constexpr Language kLanguages[] = {Language::Python, Language::Lua, Language::Prolog};

CodeRequest request_for(Language language) {
  CodeRequest request;
  request.language = language;
  request.code = language == Language::Prolog ? "valid :- output(O), string_length(O, 4)."
                                              : "return output == 'aaaa'";
  request.variables = hone::JsonText{R"({"output":"aaaa","state":{"output":"aaaa"}})"};
  request.limits.timeout = std::chrono::seconds(30);
  return request;
}

std::vector<double> times(hone::sandbox::Sandbox& sandbox, const CodeRequest& request, int count,
                          std::chrono::milliseconds between = {}) {
  std::vector<double> each;
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(between);
    const auto started = std::chrono::steady_clock::now();
    sandbox.run_here(request);
    each.push_back(Microseconds(std::chrono::steady_clock::now() - started).count());
  }
  std::ranges::sort(each);
  return each;
}

double at(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
}

bool is_worker_below(int parent, const std::string& stat) {
  const std::size_t end = stat.rfind(')');
  if (end == std::string::npos || stat.find("(hone-worker)") == std::string::npos) return false;
  return std::atoi(stat.c_str() + end + 4) == parent;
}

// What the zygotes of this process have used, and the workers that they have buried. Unlike times
// it hardly depends on what else the machine does.
double processor_microseconds() {
  double ticks = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    if (!std::getline(file, stat) || !is_worker_below(::getpid(), stat)) continue;
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string field;
    for (int number = 3; fields >> field; ++number) {
      if (number >= 14 && number <= 17) ticks += std::stod(field);  // proc(5): utime … cstime.
    }
  }
  return ticks * 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void print_calls(hone::sandbox::Sandbox& sandbox, Language language) {
  CodeRequest request = request_for(language);
  times(sandbox, request, 20);
  const auto arriving = times(sandbox, request, 200, std::chrono::milliseconds(5));
  constexpr int kFresh = 300;
  const double before = processor_microseconds();
  const auto fresh = times(sandbox, request, kFresh);
  const double used = (processor_microseconds() - before) / kFresh;
  request.trusted = true;
  times(sandbox, request, 20);
  const auto reused = times(sandbox, request, 900);
  const auto print = [&](const char* name, const std::vector<double>& each) {
    fmt::print("{:<7} {:<34} p50 {:6.0f} us  p99 {:6.0f} us\n", hone::core::to_string(language),
               name, at(each, 0.5), at(each, 0.99));
  };
  print("reused", reused);
  print("fresh, 5 ms after the last", arriving);
  print("fresh, directly after the last", fresh);
  fmt::print("{:<7} {:<34}     {:6.0f} us of processor time\n", hone::core::to_string(language),
             "a fresh call and its process", used);
}

void print_kill(hone::sandbox::Sandbox& sandbox) {
  CodeRequest request = request_for(Language::Python);
  request.code = "while True: pass";
  request.limits.timeout = std::chrono::milliseconds(100);
  auto each = times(sandbox, request, 20);
  fmt::print("killed  p50 {:.2f} ms after the deadline of 100 ms, last {:.2f}\n",
             each[each.size() / 2] / 1000 - 100, each.back() / 1000 - 100);
}

// Proportional set size of the zygote that this process has and of the workers below it, in MB.
double megabytes(int parent, int& processes) {
  double sum = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    if (!std::getline(file, stat) || !is_worker_below(parent, stat)) continue;
    const int id = std::atoi(entry.path().filename().c_str());
    std::ifstream rollup(entry.path() / "smaps_rollup");
    for (std::string line; std::getline(rollup, line);) {
      if (line.starts_with("Pss:")) sum += std::stod(line.substr(4)) / 1024;
    }
    ++processes;
    sum += megabytes(id, processes);
  }
  return sum;
}

// Workers that all are at work while they are looked at.
void print_memory(const std::string& program, Language language) {
  hone::sandbox::Sandbox sandbox({.program = program});
  CodeRequest request = request_for(language);
  request.code = language == Language::Python ? "while True: pass" : "while true do end";
  if (language == Language::Prolog) request.code = ":- repeat, fail.";
  request.limits.timeout = std::chrono::seconds(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 32; ++i) threads.emplace_back([&] { sandbox.run_here(request); });
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  int processes = 0;
  const double sum = megabytes(::getpid(), processes);
  for (std::thread& thread : threads) thread.join();
  fmt::print("{:<7} {} processes, the zygote among them, {:.1f} MB together\n",
             hone::core::to_string(language), processes, sum);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string program = count > 1 ? arguments[1] : HONE_WORKER;
  {
    hone::sandbox::Sandbox sandbox({.program = program});
    for (const Language language : kLanguages) print_calls(sandbox, language);
    print_kill(sandbox);
  }
  for (const Language language : kLanguages) print_memory(program, language);
}
