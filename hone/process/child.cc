#include "hone/process/child.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/process/spawn.h"

namespace hone::process {
namespace {

constexpr std::size_t kShownColumns = 80;

pid_t start_shell(const Start& start, std::map<int, int> descriptors) {
  if (start.command.find('\0') != std::string::npos) {
    throw Error(ErrorKind::InvalidInput, "the command contains a zero byte");
  }
  return spawn({.file = "/bin/sh",
                .arguments = {"-c", start.command},
                .environment = start.environment,
                .directory = start.directory,
                .descriptors = std::move(descriptors),
                .shown = one_line(start.command, kShownColumns)});
}

Descriptor descriptor_of(pid_t id) {
#ifdef SYS_pidfd_open
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
#else
  static_cast<void>(id);
  return Descriptor();
#endif
}

}  // namespace

Child::Child(const Start& start) {
  Pipe to_child = make_pipe();
  Pipe from_child = make_pipe();
  Pipe errors_from_child = make_pipe();
  set_nonblocking(to_child.write);
  set_nonblocking(from_child.read);
  set_nonblocking(errors_from_child.read);
  id_ = start_shell(start, {{STDIN_FILENO, to_child.read.number()},
                            {STDOUT_FILENO, from_child.write.number()},
                            {STDERR_FILENO, errors_from_child.write.number()}});
  end_ = descriptor_of(id_);
  input = std::move(to_child.write);
  output = std::move(from_child.read);
  errors = std::move(errors_from_child.read);
}

Child::~Child() {
  if (id_ < 0) return;
  signal_group(SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
}

bool Child::has_ended() const {
  siginfo_t info{};
  const int result = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
  return result < 0 ? errno != EINTR : info.si_pid == id_;
}

void Child::signal_group(int signal) const { ::kill(-id_, signal); }

int Child::reap() {
  int status = 0;
  pid_t reaped = -1;
  do {
    reaped = ::waitpid(id_, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  id_ = -1;
  if (reaped >= 0) return status;
  throw Error(ErrorKind::Unavailable, "the exit status of a child process was lost",
              "start hone from a program that does not ignore SIGCHLD");
}

}  // namespace hone::process
