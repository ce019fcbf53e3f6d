#include "hone/net/pipe_signal.h"

#include <ctime>

namespace hone::net {
namespace {

sigset_t pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  return signals;
}

bool is_pending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

PipeSignalBlocked::PipeSignalBlocked() : was_pending_(is_pending()) {
  const sigset_t signals = pipe_signal();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

PipeSignalBlocked::~PipeSignalBlocked() {
  if (!was_pending_ && is_pending()) {
    const sigset_t signals = pipe_signal();
    const timespec at_once{.tv_sec = 0, .tv_nsec = 0};
    sigtimedwait(&signals, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace hone::net
