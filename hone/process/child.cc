#include "hone/process/child.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::process {
namespace {

constexpr std::size_t kShownColumns = 80;

// A session of its own, no inherited signal settings.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// What happens to descriptors and the working directory between fork and exec.
class Actions {
 public:
  Actions() { ::posix_spawn_file_actions_init(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }

  void connect(const Descriptor& from, int to) {
    ::posix_spawn_file_actions_adddup2(&actions_, from.number(), to);
  }
  void enter(const std::string& directory) {
    if (!directory.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
  }
  // Also those that other libraries forgot to mark.
  void close_all_others() {
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

pid_t spawn(const Start& start, const Actions& actions) {
  if (start.command.find('\0') != std::string::npos) {
    throw Error(ErrorKind::InvalidInput, "the command contains a zero byte");
  }
  std::vector<std::string> arguments{"sh", "-c", start.command};
  std::vector<std::string> environment = start.environment;
  const Attributes attributes;
  pid_t id = -1;
  const int failure = ::posix_spawn(&id, "/bin/sh", actions.get(), attributes.get(),
                                    pointers(arguments).data(), pointers(environment).data());
  if (failure == 0) return id;
  const std::string where = start.directory.empty() ? "" : fmt::format(" in {}", start.directory);
  fail_with(fmt::format("`{}` cannot be started{}", one_line(start.command, kShownColumns), where),
            failure);
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
  Actions actions;
  actions.enter(start.directory);
  actions.connect(to_child.read, STDIN_FILENO);
  actions.connect(from_child.write, STDOUT_FILENO);
  actions.connect(errors_from_child.write, STDERR_FILENO);
  actions.close_all_others();
  id_ = spawn(start, actions);
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
