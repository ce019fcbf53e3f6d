#include "hone/process/process.h"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <csignal>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "hone/async/one_shot.h"
#include "hone/process/supervise.h"

namespace hone::process {
namespace {

// A thread that supervises one process. All but the thread's own work happens on the loop thread.
class Watch {
 public:
  explicit Watch(ProcessOptions options) : options_(std::move(options)), cancel_(make_pipe()) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    cancel();
    if (thread_.joinable()) thread_.join();
  }

  void start() try {
    thread_ = std::thread([this, ended = ended_] {
      work();
      ended.set();
    });
  } catch (const std::system_error& error) {
    fail_with("a thread for a child process cannot be started", error.code().value());
  }
  void cancel() { cancel_.write.close(); }
  const OneShot& ended() const { return ended_; }
  Ended take() {
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(result_);
  }

 private:
  void work() {
    block_signals();
    try {
      result_ = supervise(options_, cancel_.read);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  // Signals are for the threads that listen to them; SIGPIPE of a closed stdin is for nobody.
  static void block_signals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  }

  ProcessOptions options_;
  Pipe cancel_;
  OneShot ended_;
  Ended result_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

async<Ended> run_process(ProcessOptions options) {
  const auto watch = std::make_shared<Watch>(std::move(options));
  const auto cancel = [weak = std::weak_ptr(watch)](boost::asio::cancellation_type) {
    if (const auto running = weak.lock()) running->cancel();
  };
  const auto cancellation = co_await boost::asio::this_coro::cancellation_state;
  auto slot = cancellation.slot();
  watch->start();
  if (slot.is_connected()) slot.assign(cancel);
  if (cancellation.cancelled() != boost::asio::cancellation_type::none) watch->cancel();
  co_await watch->ended().wait();
  slot.clear();
  co_return watch->take();
}

}  // namespace hone::process
