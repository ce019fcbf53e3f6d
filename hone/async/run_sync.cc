#include "hone/async/run_sync.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <utility>

namespace hone {

struct EventLoop::State {
  boost::asio::io_context io{1};
  boost::asio::cancellation_signal cancellation;
  boost::asio::signal_set signals{io};
  bool listens = false;

  void await_signal(const std::function<void()>& then) {
    signals.async_wait([this, then](const boost::system::error_code& failure, int) {
      if (failure) return;
      signals.clear();  // The next signal has its default effect.
      then();
    });
  }
};

EventLoop::EventLoop() : state_(std::make_unique<State>()) {}
EventLoop::~EventLoop() = default;

void EventLoop::run(const std::function<async<void>()>& work) {
  std::exception_ptr failure;
  const auto finished = [&](std::exception_ptr thrown) {
    failure = std::move(thrown);
    state_->signals.cancel();
  };
  state_->io.restart();
  boost::asio::co_spawn(state_->io, work(),
                        boost::asio::bind_cancellation_slot(state_->cancellation.slot(), finished));
  if (state_->listens) state_->await_signal([this] { cancel(); });
  state_->io.run();
  if (failure) std::rethrow_exception(failure);
}

void EventLoop::cancel() {
  boost::asio::post(
      state_->io, [this] { state_->cancellation.emit(boost::asio::cancellation_type::terminal); });
}

void EventLoop::cancel_on_signals() {
  state_->signals.add(SIGINT);
  state_->signals.add(SIGTERM);
  state_->signals.add(SIGHUP);
  state_->listens = true;
}

void run_sync(const std::function<async<void>()>& work) {
  EventLoop loop;
  loop.run(work);
}

}  // namespace hone
