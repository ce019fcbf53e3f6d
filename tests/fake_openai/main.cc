// hone-fake-openai SCRIPT.json [--max-seconds N]: serves the OpenAI API by a script (see script.h).
// Prints its port, then at the end (SIGTERM, SIGINT, or after N seconds) the number of requests.
#include <fmt/format.h>

#include <csignal>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/net/fake_server.h"
#include "tests/fake_openai/script.h"

namespace {

struct Arguments {
  std::string script;
  double seconds = 60;
};

Arguments read_arguments(int count, char** values) {
  if (count == 2) return {.script = values[1]};
  if (count == 4 && std::string(values[2]) == "--max-seconds") {
    const auto seconds = hone::to_number(values[3]);
    if (seconds && *seconds > 0) return {.script = values[1], .seconds = *seconds};
  }
  throw hone::Error(hone::ErrorKind::InvalidInput,
                    "usage: hone-fake-openai SCRIPT.json [--max-seconds N]");
}

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw hone::Error(hone::ErrorKind::NotFound, fmt::format("cannot read {}", name));
  return {std::istreambuf_iterator<char>(file), {}};
}

// Threads that start later inherit the blocked signals.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void wait(const sigset_t& signals, double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  const timespec time{.tv_sec = whole,
                      .tv_nsec = static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
  sigtimedwait(&signals, nullptr, &time);
}

void serve(const Arguments& arguments) {
  hone::fake_openai::Script script(read_file(arguments.script));
  const sigset_t signals = block_signals();
  hone::net::FakeServer server(
      [&script](const hone::net::FakeRequest& request) { return script.answer(request); });
  fmt::print("{}\n", server.port());
  std::fflush(stdout);
  wait(signals, arguments.seconds);
  fmt::print("requests: {}\n", server.requests().size());
}

}  // namespace

int main(int count, char** values) {
  try {
    serve(read_arguments(count, values));
    return 0;
  } catch (const hone::Error& error) {
    fmt::print(stderr, "hone-fake-openai: {}\n", error.message());
    return 2;
  }
}
