// An HTTP server for tests: answers what it is told, as badly as it is told.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hone/base/units.h"

namespace hone::net {

struct FakeRequest {
  std::string method;
  std::string target;  // "/v1/models"; the whole address when the server is used as a proxy.
  std::vector<std::pair<std::string, std::string>> headers;  // Names in lower case.
  std::string body;

  std::string header(std::string_view name) const;  // Empty if there is none.
};

struct FakeReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::vector<std::string> chunks = {};       // Each is flushed before the next is begun.
  bool chunked = false;                       // Chunked transfer coding instead of Content-Length.
  Duration before{};                          // Wait before the status line.
  Duration between{};                         // Wait before each chunk but the first.
  std::optional<std::size_t> cut_after = {};  // Close the connection after so many bytes of body.
  bool never_answers = false;                 // Wait until the client goes away.
  bool stays_silent = false;                  // The same after the last chunk, before the end.
};

// Listens on a free port of 127.0.0.1, on a thread of its own. Threads: any.
class FakeServer {
 public:
  // `answer` is called on the server's thread for each request, in order of arrival.
  explicit FakeServer(std::function<FakeReply(const FakeRequest&)> answer);
  // The replies in order; 500 when there are none left.
  explicit FakeServer(std::vector<FakeReply> replies);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  int port() const;
  std::string url(std::string_view path = "") const;  // "http://127.0.0.1:1234/path"

  std::vector<FakeRequest> requests() const;
  std::size_t connections() const;  // Accepted so far.
  std::size_t aborted() const;      // Clients that left before their reply had ended.

  // Return when that many have come; false after 10 s.
  bool wait_for_requests(std::size_t count) const;
  bool wait_for_aborted(std::size_t count) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A port of 127.0.0.1 on which nothing listens (it was free a moment ago).
int refused_port();

}  // namespace hone::net
