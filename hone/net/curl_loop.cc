#include "hone/net/curl_loop.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hone/net/pipe_signal.h"

namespace hone::net {
namespace {

using Descriptor = boost::asio::posix::stream_descriptor;

// A socket of libcurl's, watched for what libcurl asked for.
struct Socket {
  explicit Socket(const boost::asio::any_io_executor& executor, curl_socket_t handle)
      : descriptor(executor, handle) {}
  // libcurl closes it.
  ~Socket() { descriptor.release(); }

  Descriptor descriptor;
  int wanted = 0;
  bool is_open = true;
  bool read_armed = false;
  bool write_armed = false;
};

struct Running {
  Running(std::shared_ptr<Transfer> what, const boost::asio::any_io_executor& executor)
      : transfer(std::move(what)), timer(executor) {}

  std::shared_ptr<Transfer> transfer;
  boost::asio::steady_timer timer;
  bool timer_armed = false;
  std::function<void()> resume;
};

// One CURLM and what it watches. Callbacks of libcurl only take notes; settle() acts on them.
class CurlLoop {
 public:
  CurlLoop(boost::asio::any_io_executor executor, long connections_per_host);
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  using Id = std::uint64_t;
  Id start(std::shared_ptr<Transfer> transfer, std::function<void()> resume);
  void cancel(Id id);

 private:
  static int on_socket(CURL*, curl_socket_t handle, int what, void* self, void*);
  static int on_timer(CURLM*, long milliseconds, void* self);

  void watch(curl_socket_t handle, int what);
  void arm(curl_socket_t handle, const std::shared_ptr<Socket>& socket);
  void wait(curl_socket_t handle, const std::shared_ptr<Socket>& socket, bool for_reading);
  void set_timer(long milliseconds);
  void act(curl_socket_t handle, int events);
  void settle();
  void deliver_progress();
  void take_results();
  void arm_limit(Id id, const std::shared_ptr<Running>& running);
  void check_limit(Id id);
  void end(Id id);

  const CurlLibrary& curl_;
  boost::asio::any_io_executor executor_;
  CURLM* multi_;
  boost::asio::steady_timer timer_;
  Id last_id_ = 0;
  std::unordered_map<curl_socket_t, std::shared_ptr<Socket>> sockets_;
  std::unordered_map<Id, std::shared_ptr<Running>> running_;
  std::unordered_map<CURL*, Id> ids_;
  std::vector<Id> progressed_;
};

CurlLoop::CurlLoop(boost::asio::any_io_executor executor, long connections_per_host)
    : curl_(curl_library()),
      executor_(std::move(executor)),
      multi_(curl_.multi_init()),
      timer_(executor_) {
  curl_.multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlLoop::on_socket);
  curl_.multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_.multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlLoop::on_timer);
  curl_.multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_.multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, connections_per_host);
  curl_.multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 2 * connections_per_host);
}

CurlLoop::~CurlLoop() {
  const PipeSignalBlocked blocked;
  for (const auto& [handle, id] : ids_) curl_.multi_remove_handle(multi_, handle);
  ids_.clear();
  std::exchange(running_, {}).clear();  // Drops the coroutines that wait for them.
  curl_.multi_cleanup(multi_);
}

int CurlLoop::on_socket(CURL*, curl_socket_t handle, int what, void* self, void*) {
  static_cast<CurlLoop*>(self)->watch(handle, what);
  return 0;
}

int CurlLoop::on_timer(CURLM*, long milliseconds, void* self) {
  static_cast<CurlLoop*>(self)->set_timer(milliseconds);
  return 0;
}

void CurlLoop::watch(curl_socket_t handle, int what) {
  const auto known = sockets_.find(handle);
  if (what == CURL_POLL_REMOVE) {
    if (known == sockets_.end()) return;
    known->second->is_open = false;
    known->second->descriptor.release();
    sockets_.erase(known);
    return;
  }
  auto socket =
      known == sockets_.end() ? std::make_shared<Socket>(executor_, handle) : known->second;
  socket->wanted = what;
  sockets_[handle] = socket;
  arm(handle, socket);
}

void CurlLoop::arm(curl_socket_t handle, const std::shared_ptr<Socket>& socket) {
  if ((socket->wanted & CURL_POLL_IN) != 0 && !std::exchange(socket->read_armed, true)) {
    wait(handle, socket, true);
  }
  if ((socket->wanted & CURL_POLL_OUT) != 0 && !std::exchange(socket->write_armed, true)) {
    wait(handle, socket, false);
  }
}

void CurlLoop::wait(curl_socket_t handle, const std::shared_ptr<Socket>& socket, bool for_reading) {
  const auto type = for_reading ? Descriptor::wait_read : Descriptor::wait_write;
  socket->descriptor.async_wait(
      type, [this, handle, socket, for_reading](const boost::system::error_code& failure) {
        (for_reading ? socket->read_armed : socket->write_armed) = false;
        if (!socket->is_open) return;
        const int ready = for_reading ? CURL_CSELECT_IN : CURL_CSELECT_OUT;
        const int asked = for_reading ? CURL_POLL_IN : CURL_POLL_OUT;
        if (failure || (socket->wanted & asked) != 0)
          act(handle, failure ? CURL_CSELECT_ERR : ready);
        if (socket->is_open) arm(handle, socket);
      });
}

void CurlLoop::set_timer(long milliseconds) {
  timer_.cancel();
  if (milliseconds < 0) return;
  timer_.expires_after(std::chrono::milliseconds(milliseconds));
  timer_.async_wait([this](const boost::system::error_code& failure) {
    if (!failure) act(CURL_SOCKET_TIMEOUT, 0);
  });
}

void CurlLoop::act(curl_socket_t handle, int events) {
  {
    const PipeSignalBlocked blocked;
    int still_running = 0;
    curl_.multi_socket_action(multi_, handle, events, &still_running);
  }
  settle();
}

void CurlLoop::settle() {
  deliver_progress();
  take_results();
  if (running_.empty()) timer_.cancel();  // Nothing of an idle client keeps the loop running.
}

void CurlLoop::deliver_progress() {
  for (const Id id : std::exchange(progressed_, {})) {
    const auto found = running_.find(id);
    if (found == running_.end()) continue;
    const auto running = found->second;
    running->transfer->deliver();
    if (running->transfer->has_failed()) {
      end(id);
    } else {
      arm_limit(id, running);
    }
  }
}

void CurlLoop::take_results() {
  int left = 0;
  while (CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const auto found = ids_.find(message->easy_handle);
    if (found == ids_.end()) continue;
    const Id id = found->second;
    const auto running = running_.at(id);
    running->transfer->finish(message->data.result);
    end(id);
  }
}

// Bytes only move a limit further away, so a timer that is already armed is left alone.
void CurlLoop::arm_limit(Id id, const std::shared_ptr<Running>& running) {
  const auto limit = running->transfer->next_limit();
  if (!limit || (running->timer_armed && running->timer.expiry() <= *limit)) return;
  running->timer_armed = true;
  running->timer.expires_at(*limit);
  running->timer.async_wait([this, id](const boost::system::error_code& failure) {
    if (!failure) check_limit(id);
  });
}

void CurlLoop::check_limit(Id id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  const auto running = found->second;
  running->timer_armed = false;
  running->transfer->check_limits(Transfer::Clock::now());
  if (running->transfer->has_failed()) {
    end(id);
  } else {
    arm_limit(id, running);
  }
}

CurlLoop::Id CurlLoop::start(std::shared_ptr<Transfer> transfer, std::function<void()> resume) {
  const Id id = ++last_id_;
  CURL* const handle = transfer->handle();
  const auto running = std::make_shared<Running>(transfer, executor_);
  running->resume = std::move(resume);
  running_[id] = running;
  ids_[handle] = id;
  transfer->start([this, id] { progressed_.push_back(id); });
  arm_limit(id, running);
  const CURLMcode result = curl_.multi_add_handle(multi_, handle);
  if (result != CURLM_OK) {
    transfer->fail(
        std::make_exception_ptr(Error(ErrorKind::Internal, curl_.multi_strerror(result))));
    end(id);
  }
  return id;
}

void CurlLoop::cancel(Id id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  found->second->transfer->fail(
      std::make_exception_ptr(Error(ErrorKind::Cancelled, "the request was cancelled")));
  end(id);
}

void CurlLoop::end(Id id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;  // A sink has cancelled it.
  const auto running = std::move(found->second);
  running_.erase(found);
  ids_.erase(running->transfer->handle());
  {
    const PipeSignalBlocked blocked;
    curl_.multi_remove_handle(multi_, running->transfer->handle());
  }
  running->timer.cancel();
  running->resume();
}

// The loops of one execution context; ends with it.
class CurlLoops final : public boost::asio::execution_context::service {
 public:
  using key_type = CurlLoops;
  static boost::asio::execution_context::id id;

  explicit CurlLoops(boost::asio::execution_context& context) : service(context) {}

  CurlLoop& at(const boost::asio::any_io_executor& executor, long connections_per_host) {
    auto& loop = loops_[connections_per_host];
    if (!loop) loop = std::make_unique<CurlLoop>(executor, connections_per_host);
    return *loop;
  }

 private:
  void shutdown() override { loops_.clear(); }

  std::map<long, std::unique_ptr<CurlLoop>> loops_;
};
boost::asio::execution_context::id CurlLoops::id;

CurlLoop& loop_on(const boost::asio::any_io_executor& executor, long connections_per_host) {
  auto& context = boost::asio::query(executor, boost::asio::execution::context);
  return boost::asio::use_service<CurlLoops>(context).at(executor, connections_per_host);
}

// Resumes the handler on its executor, never inside the call.
template <class Handler>
std::function<void()> resumption(const std::shared_ptr<Handler>& handler) {
  auto executor = boost::asio::get_associated_executor(*handler);
  auto work = boost::asio::make_work_guard(executor);
  return [executor, handler, work] { boost::asio::post(executor, std::move(*handler)); };
}

}  // namespace

async<void> perform(std::shared_ptr<Transfer> transfer, long connections_per_host) {
  const auto executor = co_await boost::asio::this_coro::executor;
  CurlLoop& loop = loop_on(executor, connections_per_host);
  const auto initiate = [&loop, transfer](auto handler) {
    const auto cancellation = boost::asio::get_associated_cancellation_slot(handler);
    const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    const auto id = loop.start(transfer, resumption(shared));
    auto slot = cancellation;
    if (!slot.is_connected()) return;
    slot.assign([&loop, id](boost::asio::cancellation_type type) {
      if ((type & boost::asio::cancellation_type::terminal) !=
          boost::asio::cancellation_type::none) {
        loop.cancel(id);
      }
    });
  };
  auto performed = boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
      initiate, boost::asio::use_awaitable);
  co_await std::move(performed);
}

}  // namespace hone::net
