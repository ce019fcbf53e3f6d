#include "apps/worker/zygote.h"

#include <fcntl.h>
#include <malloc.h>
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

using sandbox::FrameType;
using sandbox::WorkerLimits;

class Zygote {
 public:
  explicit Zygote(Interpreter& interpreter)
      : interpreter_(interpreter), filters_(make_filters()), base_memory_(address_space()) {}

  // Which walls a worker would lack, found by putting them up in a process of its own.
  std::string missing() const;
  int run(int signals);

 private:
  void start_worker();
  void enter_worker(int socket);
  void bury_all(int signals);
  void bury(pid_t worker, int status);

  Interpreter& interpreter_;
  Filters filters_;
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

std::string joined(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : ", ") + other;
}

std::string Zygote::missing() const {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "pipes";
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], sandbox::kSocket);
    WorkerLimits limits;
    limits.memory = 64ULL << 20;
    const std::string lacking = joined(isolate(), limit(limits, base_memory_, filters_));
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
  char order = 0;
  int socket = -1;
  const bool whole = sandbox::receive_with(sandbox::kSocket, &order, sizeof order, socket);
  // An end of file: the engine is gone, and with this process go its workers.
  if (!whole && socket < 0) ::_exit(0);
  if (socket < 0) return;
  const pid_t zygote = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != zygote) ::_exit(1);
    enter_worker(socket);
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

WorkerLimits limits_to_come() {
  sandbox::FrameHead head;
  WorkerLimits limits;
  if (!sandbox::read_all(sandbox::kSocket, reinterpret_cast<char*>(&head), sizeof head) ||
      head.type != FrameType::Limits || head.length != sizeof limits ||
      !sandbox::read_all(sandbox::kSocket, reinterpret_cast<char*>(&limits), sizeof limits))
    ::_exit(0);
  return limits;
}

// All that does not depend on the call is done before it comes: a sample makes copies of the pages
// that calls write.
void Zygote::enter_worker(int socket) {
  ::setpgid(0, 0);
  unblock_all_signals();
  ::dup2(socket, sandbox::kSocket);
  const std::string isolation = isolate();
  interpreter_.answer(interpreter_.sample());
  const WorkerLimits limits = limits_to_come();
  interpreter_.limit_memory(limits.memory);
  const std::string lacking = joined(isolation, limit(limits, base_memory_, filters_));
  if (lacking.empty() || limits.weak) {
    serve_calls(interpreter_, limits);
  } else {
    refuse_call("it could not be confined: this system lacks " + lacking);
  }
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

// What a worker has started is in its group, and ends with it; while it is not waited for, the
// group cannot be somebody else's.
void Zygote::bury_all(int signals) {
  signalfd_siginfo info;
  while (::read(signals, &info, sizeof info) == sizeof info) continue;
  siginfo_t dead{};
  while (::waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) == 0 && dead.si_pid > 0) {
    if (sockets_.contains(dead.si_pid)) ::kill(-dead.si_pid, SIGKILL);
    int status = 0;
    ::waitpid(dead.si_pid, &status, 0);
    bury(dead.si_pid, status);
    dead.si_pid = 0;
  }
}

// Calls write all over a heap that has many holes, and every page is copied in every worker: merge
// and sort the free pieces once, here.
void settle_memory() {
  constexpr std::size_t kSorts = 100'000;  // A size that looks through all free pieces.
  ::malloc_trim(0);
  void* const volatile piece = ::malloc(kSorts);
  ::free(piece);
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
  constexpr int kUntilCachesAreFull = 3;
  for (int i = 0; i < kUntilCachesAreFull; ++i) interpreter.answer(interpreter.sample());
  Zygote zygote(interpreter);
  say(language, interpreter.version(), zygote.missing());
  const int signals = signals_of_children();
  // What a worker started and left comes here to be waited for.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  interpreter.settle();
  settle_memory();
  return zygote.run(signals);
}

void say_unsupported(core::Language language) { say(language, "", ""); }

}  // namespace hone::worker
