#include "hone/sandbox/zygote.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/process/spawn.h"

namespace hone::sandbox {
namespace {

// Prolog loads its libraries in 0.2 s; a machine may be busy.
constexpr int kStartMilliseconds = 30'000;
constexpr int kEndMilliseconds = 2'000;

struct Pair {
  process::Descriptor ours;
  process::Descriptor theirs;
};

Pair make_pair(int type) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    process::fail_with("a socket for a worker cannot be opened", errno);
  }
  return {process::Descriptor(ends[0]), process::Descriptor(ends[1])};
}

bool readable(int socket, int milliseconds) {
  pollfd wait{socket, POLLIN, 0};
  int ready = 0;
  do ready = ::poll(&wait, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

Zygote::Zygote(const std::string& program, core::Language language) {
  Pair control = make_pair(SOCK_SEQPACKET);
  id_ = process::spawn({.file = program,
                        .arguments = {std::string(core::to_string(language))},
                        .environment = {"LC_ALL=C.UTF-8"},
                        .descriptors = {{kSocket, control.theirs.number()}}});
  control_ = std::move(control.ours);
  control.theirs.close();
  read_protection();
}

void Zygote::read_protection() {
  std::array<char, 1024> text{};
  const bool ready = readable(control_.number(), kStartMilliseconds);
  const ssize_t got = ready ? ::recv(control_.number(), text.data(), text.size(), 0) : -1;
  const auto said = got > 0 ? try_parse_json({text.data(), static_cast<std::size_t>(got)})
                            : std::optional<Json>();
  if (!said) {
    throw Error(ErrorKind::Unavailable, "the program that runs code did not start",
                "see `hone doctor`");
  }
  protection_ = {said->value("version", std::string()), said->value("missing", std::string())};
}

Zygote::~Zygote() {
  if (id_ < 0) return;
  ::shutdown(control_.number(), SHUT_RDWR);
  control_.close();
  for (int waited = 0; waited < kEndMilliseconds; ++waited) {
    if (::waitpid(id_, nullptr, WNOHANG) != 0) return;
    ::usleep(1000);
  }
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

process::Descriptor Zygote::start_worker() {
  Pair pair = make_pair(SOCK_STREAM);
  if (!send_with(control_.number(), {&kFork, 1}, pair.theirs.number())) {
    throw Error(ErrorKind::Unavailable, "the program that runs code has ended", "try again");
  }
  return std::move(pair.ours);
}

std::string find_worker_program() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {"hone-worker", "../libexec/hone/hone-worker"}) {
    const auto program = folder / place;
    if (std::filesystem::exists(program, ignored)) return program.lexically_normal().string();
  }
  throw Error(ErrorKind::NotFound,
              fmt::format("hone-worker, which runs checks written as code, is not in `{}`",
                          folder.string()),
              "install it beside `hone`, or in libexec/hone");
}

}  // namespace hone::sandbox
