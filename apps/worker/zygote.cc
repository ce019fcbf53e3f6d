#include "apps/worker/zygote.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/worker/confine.h"
#include "apps/worker/serve_calls.h"
#include "hone/sandbox/wire.h"

namespace hone::worker {
namespace {

using sandbox::ForkRequest;
using sandbox::FrameType;

class Zygote {
 public:
  explicit Zygote(Interpreter& interpreter)
      : interpreter_(interpreter), filter_(make_filter()), base_memory_(address_space()) {}

  // Which walls a worker would lack, found by putting them up in a process of its own.
  std::string missing() const;
  int run(int signals);

 private:
  void start_worker();
  void enter_worker(const ForkRequest& request, int socket);
  void bury_all(int signals);
  void bury(pid_t worker, int status);

  Interpreter& interpreter_;
  Filter filter_;
  std::uint64_t base_memory_;
  std::map<pid_t, int> sockets_;  // Of each living worker.
};

int signals_of_children() {
  sigset_t children;
  ::sigemptyset(&children);
  ::sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &children, nullptr);
  return ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

void unblock_all_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

std::string Zygote::missing() const {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "pipes";
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], sandbox::kSocket);
    ForkRequest request;
    request.memory = 64ULL << 20;
    const std::string lacking = confine(request, base_memory_, filter_);
    const ssize_t written = ::write(sandbox::kSocket, lacking.data(), lacking.size());
    ::_exit(written < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  char said[256];
  const ssize_t got = ::read(ends[0], said, sizeof said);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (child < 0 || got < 0 || status != 0) return "a process that confines itself";
  return {said, static_cast<std::size_t>(got)};
}

int Zygote::run(int signals) {
  pollfd waits[2]{{sandbox::kSocket, POLLIN, 0}, {signals, POLLIN, 0}};
  while (true) {
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return 1;
    if (waits[1].revents != 0) bury_all(signals);
    if ((waits[0].revents & POLLIN) != 0) {
      start_worker();
    } else if (waits[0].revents != 0) {
      return 0;
    }
  }
}

void Zygote::start_worker() {
  ForkRequest request;
  int socket = -1;
  const bool whole = sandbox::receive_with(
      sandbox::kSocket, reinterpret_cast<char*>(&request), sizeof request, socket);
  // An end of file: the engine is gone, and with this process go its workers.
  if (!whole && socket < 0) ::_exit(0);
  if (socket < 0) return;
  const pid_t zygote = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != zygote) ::_exit(1);
    enter_worker(request, socket);
  }
  if (child < 0) {
    ::close(socket);
    return;
  }
  sockets_[child] = socket;
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  const sandbox::FrameHead hello{FrameType::Hello, sizeof child};
  std::string frame(reinterpret_cast<const char*>(&hello), sizeof hello);
  frame.append(reinterpret_cast<const char*>(&child), sizeof child);
  sandbox::send_with(socket, frame, process);
  if (process >= 0) ::close(process);
}

void Zygote::enter_worker(const ForkRequest& request, int socket) {
  unblock_all_signals();
  ::dup2(socket, sandbox::kSocket);
  interpreter_.limit_memory(request.memory);
  const std::string lacking = confine(request, base_memory_, filter_);
  if (!lacking.empty() && !request.weak) ::_exit(1);
  serve_calls(interpreter_, request);
  ::_exit(0);
}

// The engine learns of the end on the worker's own socket, and that all it will hear has been said.
void Zygote::bury(pid_t worker, int status) {
  const auto found = sockets_.find(worker);
  if (found == sockets_.end()) return;
  const sandbox::FrameHead head{FrameType::End, sizeof status};
  std::string frame(reinterpret_cast<const char*>(&head), sizeof head);
  frame.append(reinterpret_cast<const char*>(&status), sizeof status);
  ::send(found->second, frame.data(), frame.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  ::shutdown(found->second, SHUT_RDWR);
  ::close(found->second);
  sockets_.erase(found);
}

void Zygote::bury_all(int signals) {
  signalfd_siginfo info;
  while (::read(signals, &info, sizeof info) == sizeof info) continue;
  int status = 0;
  while (true) {
    const pid_t worker = ::waitpid(-1, &status, WNOHANG);
    if (worker <= 0) break;
    bury(worker, status);
  }
}


void say(core::Language language, const std::string& version, const std::string& missing) {
  Json status;
  status["language"] = core::to_string(language);
  status["version"] = version;
  status["missing"] = missing;
  sandbox::send_with(sandbox::kSocket, dump(status), -1);
}

}  // namespace

int serve(Interpreter& interpreter, core::Language language) {
  Zygote zygote(interpreter);
  say(language, interpreter.version(), zygote.missing());
  const int signals = signals_of_children();
  return zygote.run(signals);
}

void say_unsupported(core::Language language) { say(language, "", ""); }

}  // namespace hone::worker
