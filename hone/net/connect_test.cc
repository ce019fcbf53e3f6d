// Addresses at which nothing answers.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "hone/async/run_sync.h"
#include "hone/net/http_client.h"

namespace hone::net {
namespace {

using namespace std::chrono_literals;

// A port that neither accepts nor refuses: its queue is full, so the kernel drops what comes.
class SilentPort {
 public:
  SilentPort() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int listener = open_socket(0);
    bind(listener, target(), sizeof address_);
    listen(listener, 0);
    socklen_t size = sizeof address_;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address_), &size);
    for (int i = 0; i < 4; ++i) connect(open_socket(SOCK_NONBLOCK), target(), sizeof address_);
  }
  ~SilentPort() {
    for (const int opened : sockets_) close(opened);
  }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + "/v1";
  }

 private:
  int open_socket(int flags) {
    sockets_.push_back(socket(AF_INET, SOCK_STREAM | flags, 0));
    return sockets_.back();
  }
  const sockaddr* target() const { return reinterpret_cast<const sockaddr*>(&address_); }

  sockaddr_in address_{};
  std::vector<int> sockets_;
};

async<void> fetch(HttpRequest request) {
  const HttpClient client;
  co_await client.send(std::move(request));
}

TEST(Connecting, IsGivenUpAfterItsLimit) {
  const SilentPort port;
  HttpRequest request;
  request.url = port.url();
  request.limits.connect = 80ms;
  try {
    run_sync([&] { return fetch(request); });
    FAIL() << "somebody answered";
  } catch (const Unreachable& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_NE(error.message().find("no connection within 80 ms"), std::string::npos)
        << error.message();
  }
}

TEST(Connecting, TakesNoTimeOfTheFirstByte) {
  const SilentPort port;
  HttpRequest request;
  request.url = port.url();
  request.limits.connect = 80ms;
  request.limits.first_byte = 1ms;
  EXPECT_THROW(run_sync([&] { return fetch(request); }), Unreachable);
}

}  // namespace
}  // namespace hone::net
