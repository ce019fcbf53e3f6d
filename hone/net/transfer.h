// One HTTP request on its way: its libcurl handle, what has arrived, and its limits in time.
#pragma once

#include <array>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/net/curl_library.h"
#include "hone/net/http_client.h"

namespace hone::net {

// Driven by perform() in curl_loop.h. Nothing of the caller runs inside libcurl's callbacks: they
// keep what arrives, and deliver() hands it over. Threads: those of its event loop.
class Transfer {
 public:
  using Clock = std::chrono::steady_clock;

  // Throws Unsupported without libcurl.
  Transfer(HttpRequest request, BodySink sink);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* handle() const { return handle_.get(); }

  // Begins the limits in time. `on_progress` is called inside libcurl whenever bytes came or the
  // request went out: see deliver() and next_limit().
  void start(std::function<void()> on_progress);
  // Gives the sink what has arrived. What it throws becomes the failure of the transfer.
  void deliver();
  // When the next limit passes, as things stand.
  std::optional<Clock::time_point> next_limit() const;
  // Fails the transfer if a limit has passed.
  void check_limits(Clock::time_point now);
  // Takes what libcurl says of the whole exchange.
  void finish(CURLcode result);
  void fail(std::exception_ptr failure);

  bool has_failed() const { return failure_ != nullptr; }
  // The response, or the failure as an exception. Once.
  HttpResponse take();

 private:
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static int on_request(void* self, char*, char*, int, int);

  template <class Value>
  void set(CURLoption option, Value value);
  void set_request();
  void set_headers();
  void add_header(const std::string& line);
  void set_connection();
  void set_environment();
  void set_callbacks();
  void take_header(std::string_view line);
  bool take_body(std::string_view bytes);
  void progress();
  Unreachable translate_connecting(CURLcode result) const;
  Error translate(CURLcode result) const;

  const CurlLibrary& curl_;
  std::unique_ptr<CURL, decltype(&::curl_easy_cleanup)> handle_;
  std::unique_ptr<curl_slist, decltype(&::curl_slist_free_all)> header_list_;
  std::array<char, CURL_ERROR_SIZE> detail_{};
  HttpRequest request_;
  BodySink sink_;
  std::function<void()> on_progress_;
  HttpResponse response_;
  std::string arrived_;  // Not delivered yet.
  std::size_t body_bytes_ = 0;
  std::exception_ptr failure_;
  Clock::time_point started_;
  std::optional<Clock::time_point> requested_;
  std::optional<Clock::time_point> last_byte_;
};

// "http://host:port" of an address, without user, password and path: for messages.
std::string origin_of(std::string_view url);

}  // namespace hone::net
