#include "hone/net/fake_server.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cctype>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "hone/async/async.h"
#include "hone/base/text.h"

namespace hone::net {
namespace {

using boost::asio::use_awaitable;
using boost::asio::ip::tcp;

// The client went away, or the script says that the server does.
struct Ended {
  bool by_client = false;
};

std::size_t content_length(const FakeRequest& request) {
  const std::string text = request.header("content-length");
  std::size_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

FakeRequest parse_head(std::string_view head) {
  FakeRequest request;
  const auto lines = split(head, '\n');
  const auto words = split(trim(lines.front()), ' ');
  request.method = words.front();
  if (words.size() > 1) request.target = words[1];
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto colon = lines[i].find(':');
    if (colon == std::string::npos) continue;
    request.headers.emplace_back(lower(lines[i].substr(0, colon)),
                                 std::string(trim(lines[i].substr(colon + 1))));
  }
  return request;
}

std::string head_of(const FakeReply& reply) {
  std::string head = fmt::format("HTTP/1.1 {} Scripted\r\n", reply.status);
  for (const auto& [name, value] : reply.headers) head += fmt::format("{}: {}\r\n", name, value);
  std::size_t length = 0;
  for (const auto& chunk : reply.chunks) length += chunk.size();
  head += reply.chunked ? std::string("Transfer-Encoding: chunked\r\n")
                        : fmt::format("Content-Length: {}\r\n", length);
  return head + "\r\n";
}

// The chunk as it goes over the wire, or only its first `left` bytes.
std::string framed(const FakeReply& reply, const std::string& chunk, std::size_t left) {
  if (!reply.chunked) return chunk.substr(0, left);
  const std::string frame = fmt::format("{:x}\r\n{}", chunk.size(), chunk.substr(0, left));
  return left < chunk.size() ? frame : frame + "\r\n";
}

// One client.
class Connection {
 public:
  explicit Connection(tcp::socket socket) : socket_(std::move(socket)) {
    socket_.set_option(tcp::no_delay(true));
  }

  // Throws Ended when the client closes the connection between two requests.
  async<FakeRequest> read() {
    const auto buffer = boost::asio::dynamic_buffer(input_);
    std::size_t head = 0;
    try {
      const auto some = boost::asio::transfer_at_least(1);
      if (input_.empty()) co_await boost::asio::async_read(socket_, buffer, some, use_awaitable);
      if (!std::isalpha(static_cast<unsigned char>(input_.front()))) throw Ended{};  // TLS.
      head = co_await boost::asio::async_read_until(socket_, buffer, "\r\n\r\n", use_awaitable);
    } catch (const boost::system::system_error&) {
      throw Ended{};
    }
    FakeRequest request = parse_head(std::string_view(input_).substr(0, head));
    const std::size_t end = head + content_length(request);
    if (input_.size() < end) {
      const auto missing = boost::asio::transfer_exactly(end - input_.size());
      co_await boost::asio::async_read(socket_, buffer, missing, use_awaitable);
    }
    request.body = input_.substr(head, end - head);
    input_.erase(0, end);
    co_return request;
  }

  // Throws Ended when the client leaves meanwhile, or the script cuts the reply off.
  async<void> write(const FakeReply& reply) {
    if (reply.never_answers) co_await wait_for_the_end();
    co_await pause(reply.before);
    co_await send(head_of(reply));
    std::size_t left = reply.cut_after.value_or(std::string::npos);
    for (std::size_t i = 0; i < reply.chunks.size(); ++i) {
      if (i > 0) co_await pause(reply.between);
      const std::string& chunk = reply.chunks[i];
      co_await send(framed(reply, chunk, left));
      if (left <= chunk.size()) throw Ended{};
      left -= chunk.size();
    }
    if (reply.cut_after) throw Ended{};
    if (reply.stays_silent) co_await wait_for_the_end();
    if (reply.chunked) co_await send("0\r\n\r\n");
  }

 private:
  async<void> send(std::string text) {
    try {
      const auto buffer = boost::asio::buffer(text);
      co_await boost::asio::async_write(socket_, buffer, use_awaitable);
    } catch (const boost::system::system_error&) {
      throw Ended{.by_client = true};
    }
  }

  // Clients do not send the next request before the reply has ended: whatever becomes readable is
  // the end of the connection.
  async<void> wait_for_the_end() {
    co_await socket_.async_wait(tcp::socket::wait_read, use_awaitable);
    throw Ended{.by_client = true};
  }

  async<void> pause(Duration time) {
    using boost::asio::experimental::awaitable_operators::operator||;
    if (time <= Duration{}) co_return;
    boost::asio::steady_timer timer(socket_.get_executor(), time);
    auto elapsed = timer.async_wait(use_awaitable);
    auto left = socket_.async_wait(tcp::socket::wait_read, use_awaitable);
    const auto first = co_await (std::move(elapsed) || std::move(left));
    if (first.index() == 1) throw Ended{.by_client = true};
  }

  tcp::socket socket_;
  std::string input_;
};

std::function<FakeReply(const FakeRequest&)> in_order(std::vector<FakeReply> replies) {
  const auto left = std::make_shared<std::vector<FakeReply>>(replies.rbegin(), replies.rend());
  return [left](const FakeRequest&) {
    FakeReply reply{.status = 500, .chunks = {"the fake server has no reply left"}};
    if (left->empty()) return reply;
    reply = std::move(left->back());
    left->pop_back();
    return reply;
  };
}

}  // namespace

struct FakeServer::State {
  explicit State(std::function<FakeReply(const FakeRequest&)> answer_request)
      : answer(std::move(answer_request)),
        acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)) {
    acceptor.listen(4096);
  }

  async<void> accept() {
    while (true) {
      tcp::socket socket = co_await acceptor.async_accept(use_awaitable);
      count(connections);
      boost::asio::co_spawn(io, serve(std::move(socket)), boost::asio::detached);
    }
  }

  async<void> serve(tcp::socket socket) {
    Connection connection(std::move(socket));
    try {
      while (true) {
        FakeRequest request = co_await connection.read();
        const FakeReply reply = answer(request);
        record(std::move(request));
        co_await connection.write(reply);
      }
    } catch (const Ended& end) {
      if (end.by_client) count(aborted);
    }
  }

  void record(FakeRequest request) {
    const std::lock_guard lock(mutex);
    requests.push_back(std::move(request));
    changed.notify_all();
  }

  void count(std::size_t& counter) {
    const std::lock_guard lock(mutex);
    ++counter;
    changed.notify_all();
  }

  std::function<FakeReply(const FakeRequest&)> answer;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<FakeRequest> requests;
  std::size_t connections = 0;
  std::size_t aborted = 0;
  boost::asio::io_context io{1};
  tcp::acceptor acceptor;
  std::thread thread;
};

std::string FakeRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

FakeServer::FakeServer(std::function<FakeReply(const FakeRequest&)> answer)
    : state_(std::make_unique<State>(std::move(answer))) {
  boost::asio::co_spawn(state_->io, state_->accept(), boost::asio::detached);
  state_->thread = std::thread([state = state_.get()] { state->io.run(); });
}

FakeServer::FakeServer(std::vector<FakeReply> replies) : FakeServer(in_order(std::move(replies))) {}

FakeServer::~FakeServer() {
  state_->io.stop();
  state_->thread.join();
}

int FakeServer::port() const { return state_->acceptor.local_endpoint().port(); }

std::string FakeServer::url(std::string_view path) const {
  return fmt::format("http://127.0.0.1:{}{}", port(), path);
}

std::vector<FakeRequest> FakeServer::requests() const {
  const std::lock_guard lock(state_->mutex);
  return state_->requests;
}

std::size_t FakeServer::connections() const {
  const std::lock_guard lock(state_->mutex);
  return state_->connections;
}

std::size_t FakeServer::aborted() const {
  const std::lock_guard lock(state_->mutex);
  return state_->aborted;
}

bool FakeServer::wait_for_requests(std::size_t count) const {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, std::chrono::seconds(10),
                                  [&] { return state_->requests.size() >= count; });
}

bool FakeServer::wait_for_aborted(std::size_t count) const {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, std::chrono::seconds(10),
                                  [&] { return state_->aborted >= count; });
}

int refused_port() {
  boost::asio::io_context io;
  const tcp::acceptor acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  return acceptor.local_endpoint().port();
}

}  // namespace hone::net
