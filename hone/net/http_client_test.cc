#include "hone/net/http_client.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "hone/async/cancel.h"
#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/net/curl_library.h"
#include "hone/net/fake_server.h"

namespace hone::net {
namespace {

using namespace std::chrono_literals;

async<void> fetch(const HttpClient& client, HttpRequest request, HttpResponse* response) {
  *response = co_await client.send(std::move(request));
}

async<void> fetch_stream(const HttpClient& client, HttpRequest request, BodySink sink,
                         HttpResponse* response) {
  *response = co_await client.stream(std::move(request), std::move(sink));
}

HttpResponse send(HttpRequest request) {
  const HttpClient client;
  HttpResponse response;
  run_sync([&] { return fetch(client, request, &response); });
  return response;
}

Error failure_of(const HttpRequest& request) {
  try {
    send(request);
  } catch (...) {
    return to_error(std::current_exception());
  }
  return {ErrorKind::Internal, "the request succeeded"};
}

HttpRequest post(std::string url, std::string body) {
  HttpRequest request;
  request.method = "POST";
  request.url = std::move(url);
  request.body = std::move(body);
  return request;
}

HttpRequest get(std::string url) {
  HttpRequest request;
  request.url = std::move(url);
  return request;
}

FakeReply reply_of(std::string body) { return {.chunks = {std::move(body)}}; }

FakeReply silence() {
  FakeReply reply;
  reply.never_answers = true;
  return reply;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(HttpClient, SendsARequestAndReturnsTheResponse) {
  FakeServer server({{.status = 201, .headers = {{"X-Test", "yes"}}, .chunks = {"hel", "lo"}}});
  HttpRequest request = post(server.url("/v1/x?y=1"), "body");
  request.headers = {{"Authorization", "Bearer k"}, {"Content-Type", "application/json"}};
  const HttpResponse response = send(request);
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.body, "hello");
  EXPECT_EQ(response.header("x-test"), "yes");
  EXPECT_EQ(response.header("absent"), std::nullopt);
  const FakeRequest seen = server.requests().at(0);
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/v1/x?y=1");
  EXPECT_EQ(seen.body, "body");
  EXPECT_EQ(seen.header("authorization"), "Bearer k");
  EXPECT_EQ(seen.header("content-type"), "application/json");
}

TEST(HttpClient, SendsALongBodyWithoutAskingFirst) {
  const std::string body(3'000'000, 'x');
  FakeServer server({reply_of("ok")});
  EXPECT_EQ(send(post(server.url("/"), body)).body, "ok");
  EXPECT_EQ(server.requests().at(0).body, body);
  EXPECT_EQ(server.requests().at(0).header("expect"), "");
}

TEST(HttpClient, AnyStatusIsAnAnswer) {
  FakeServer server({{.status = 503, .headers = {{"Retry-After", "2"}}, .chunks = {"busy"}}});
  const HttpResponse response = send(get(server.url("/")));
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, "busy");
  EXPECT_EQ(response.header("retry-after"), "2");
}

TEST(HttpClient, FollowsNoRedirect) {
  FakeServer server({{.status = 307, .headers = {{"Location", "http://127.0.0.1:1/"}}}});
  const HttpResponse response = send(post(server.url("/"), "{}"));
  EXPECT_EQ(response.status, 307);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpClient, GivesPiecesToTheSinkAsTheyCome) {
  FakeServer server({{.headers = {{"Content-Type", "text/event-stream"}},
                      .chunks = {"data: a\n\n", "data: b\n\n"},
                      .chunked = true,
                      .between = 20ms}});
  const HttpClient client;
  HttpResponse response;
  std::vector<std::string> pieces;
  std::string type;
  const auto sink = [&](const HttpResponse& head, std::string_view bytes) {
    type = head.header("content-type").value_or("");
    pieces.emplace_back(bytes);
  };
  run_sync([&] { return fetch_stream(client, get(server.url("/")), sink, &response); });
  EXPECT_EQ(pieces, (std::vector<std::string>{"data: a\n\n", "data: b\n\n"}));
  EXPECT_EQ(type, "text/event-stream");
  EXPECT_EQ(response.body, "");
}

TEST(HttpClient, KeepsTheBodyOfAnErrorOutOfTheSink) {
  FakeServer server({{.status = 400, .chunks = {"no"}}});
  const HttpClient client;
  HttpResponse response;
  const auto sink = [](const HttpResponse&, std::string_view) { FAIL() << "the sink was called"; };
  run_sync([&] { return fetch_stream(client, get(server.url("/")), sink, &response); });
  EXPECT_EQ(response.body, "no");
}

TEST(HttpClient, RethrowsWhatTheSinkThrows) {
  FakeReply reply = reply_of("data");
  reply.stays_silent = true;
  reply.chunked = true;
  FakeServer server({reply});
  const HttpClient client;
  HttpResponse response;
  const auto sink = [](const HttpResponse&, std::string_view) {
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(
      run_sync([&] { return fetch_stream(client, get(server.url("/")), sink, &response); }),
      std::runtime_error);
  EXPECT_TRUE(server.wait_for_aborted(1));
}

TEST(HttpClient, ConnectionRefusedIsUnreachableAndNamesTheAddress) {
  const std::string origin = "http://127.0.0.1:" + std::to_string(refused_port());
  try {
    send(get(origin + "/v1"));
    FAIL() << "somebody answered";
  } catch (const Unreachable& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_EQ(error.message(), "connecting to " + origin + ": Connection refused");
    EXPECT_EQ(error.hint(), "check that a server listens at " + origin);
  }
}

TEST(HttpClient, AnUnknownNameIsUnreachable) {
  // RFC 6761 keeps .invalid free.
  EXPECT_THROW(send(get("http://nobody.invalid/")), Unreachable);
}

TEST(HttpClient, AWrongAddressIsInvalidInput) {
  for (const std::string url : {"", "http://", "ftp://127.0.0.1/x", "http://127.0.0.1:99999/"}) {
    EXPECT_EQ(failure_of(get(url)).kind(), ErrorKind::InvalidInput) << url;
  }
}

TEST(HttpClient, AHeaderWithALineBreakIsInvalidInputAndStaysSecret) {
  HttpRequest request = get("http://127.0.0.1:1/");
  request.headers = {{"Authorization", "Bearer secret\r\nX: y"}};
  const Error error = failure_of(request);
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_FALSE(contains(error.message(), "secret"));
}

TEST(HttpClient, MessagesDoNotShowPasswordsOfAddresses) {
  const Error error =
      failure_of(get("http://user:word@127.0.0.1:" + std::to_string(refused_port())));
  EXPECT_FALSE(contains(error.message(), "word"));
  EXPECT_FALSE(contains(error.hint(), "word"));
}

struct BrokenReply {
  const char* name;
  FakeReply reply;
};

TEST(HttpClient, AnExchangeThatBreaksOffIsUnavailable) {
  const std::vector<BrokenReply> cases = {
      {"half a body", {.chunks = {"hello"}, .cut_after = 2}},
      {"half a chunk", {.chunks = {"hello"}, .chunked = true, .cut_after = 2}},
      {"no last chunk", {.chunks = {"hello"}, .chunked = true, .cut_after = 5}},
      {"no body at all", {.chunks = {"hello"}, .cut_after = 0}},
  };
  for (const auto& [name, reply] : cases) {
    FakeServer server({reply});
    EXPECT_EQ(failure_of(get(server.url("/"))).kind(), ErrorKind::Unavailable) << name;
  }
}

TEST(HttpClient, ABodyOverTheLimitIsCorruptAndEndsTheTransfer) {
  FakeReply reply = reply_of(std::string(100'000, 'x'));
  reply.chunked = true;
  reply.stays_silent = true;
  FakeServer server({reply});
  HttpRequest request = get(server.url("/"));
  request.limits.body_bytes = 1'000;
  EXPECT_EQ(failure_of(request).kind(), ErrorKind::Corrupt);
  EXPECT_TRUE(server.wait_for_aborted(1));
}

TEST(HttpClient, ASlowFirstByteIsUnavailable) {
  FakeServer server({silence()});
  HttpRequest request = get(server.url("/"));
  request.limits.first_byte = 30ms;
  const Error error = failure_of(request);
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_TRUE(contains(error.message(), "did not begin to answer within 30 ms")) << error.message();
  EXPECT_TRUE(server.wait_for_aborted(1));
}

TEST(HttpClient, AStallIsUnavailable) {
  FakeReply reply = reply_of("data");
  reply.chunked = true;
  reply.stays_silent = true;
  FakeServer server({reply});
  HttpRequest request = get(server.url("/"));
  request.limits.first_byte = 5s;
  request.limits.stall = 30ms;
  const Error error = failure_of(request);
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_TRUE(contains(error.message(), "fell silent in its answer for 30 ms")) << error.message();
}

TEST(HttpClient, BytesThatKeepComingAreNoStall) {
  FakeServer server(
      {{.chunks = std::vector<std::string>(12, "x"), .chunked = true, .between = 20ms}});
  HttpRequest request = get(server.url("/"));
  request.limits.first_byte = 150ms;
  request.limits.stall = 150ms;
  EXPECT_EQ(send(request).body.size(), 12U);
}

TEST(HttpClient, TheTotalLimitIsADeadline) {
  FakeServer server(
      {{.chunks = std::vector<std::string>(1000, "x"), .chunked = true, .between = 10ms}});
  HttpRequest request = get(server.url("/"));
  request.limits.total = 60ms;
  EXPECT_EQ(failure_of(request).kind(), ErrorKind::DeadlineExceeded);
}

async<void> fetch_and_sleep(const HttpClient& client, HttpRequest request) {
  HttpResponse response;
  co_await fetch(client, std::move(request), &response);
}

TEST(HttpClient, CancellingClosesTheStreamAndTheServerSeesIt) {
  FakeServer server({silence()});
  const HttpClient client;
  EventLoop loop;
  std::thread other([&] {
    EXPECT_TRUE(server.wait_for_requests(1));
    loop.cancel();
  });
  try {
    loop.run([&] { return fetch_and_sleep(client, get(server.url("/"))); });
    ADD_FAILURE() << "the request ended by itself";
  } catch (...) {
    EXPECT_EQ(to_error(std::current_exception()).kind(), ErrorKind::Cancelled);
  }
  other.join();
  EXPECT_TRUE(server.wait_for_aborted(1));
}

async<void> fetch_twice(const HttpClient& client, std::string url) {
  HttpResponse response;
  co_await fetch(client, get(url), &response);
  co_await fetch(client, get(url), &response);
}

TEST(HttpClient, UsesAConnectionAgain) {
  FakeServer server({reply_of("1"), reply_of("2")});
  const HttpClient client;
  run_sync([&] { return fetch_twice(client, server.url("/")); });
  EXPECT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.connections(), 1U);
}

async<void> fetch_expecting(const HttpClient& client, std::string url, std::size_t index) {
  HttpResponse response;
  co_await fetch(client, post(std::move(url), std::to_string(index)), &response);
  EXPECT_EQ(response.body, "echo " + std::to_string(index));
}

FakeReply echo(const FakeRequest& request) {
  return {.chunks = {"echo ", request.body}, .chunked = true, .before = 5ms, .between = 1ms};
}

TEST(HttpClient, ServesManyRequestsAtOnce) {
  FakeServer server(echo);
  const HttpClient client;
  const auto start = [&](std::size_t i) { return fetch_expecting(client, server.url("/"), i); };
  run_sync([&] { return for_each_index(400, 200, start); });
  EXPECT_EQ(server.requests().size(), 400U);
  EXPECT_LE(server.connections(), 200U);
}

TEST(HttpClient, KeepsToItsNumberOfConnections) {
  FakeServer server(echo);
  const HttpClient client({.connections_per_host = 3});
  const auto start = [&](std::size_t i) { return fetch_expecting(client, server.url("/"), i); };
  run_sync([&] { return for_each_index(30, 30, start); });
  EXPECT_EQ(server.requests().size(), 30U);
  EXPECT_LE(server.connections(), 3U);
}

TEST(HttpClient, ACancelledGroupAbortsAllItsRequests) {
  FakeServer server([](const FakeRequest&) { return silence(); });
  const HttpClient client;
  EventLoop loop;
  std::thread other([&] {
    EXPECT_TRUE(server.wait_for_requests(50));
    loop.cancel();
  });
  const auto start = [&](std::size_t) { return fetch_and_sleep(client, get(server.url("/"))); };
  EXPECT_ANY_THROW(loop.run([&] { return for_each_index(50, 50, start); }));
  other.join();
  EXPECT_TRUE(server.wait_for_aborted(50));
}

class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(HttpClient, AsksTheProxyForOtherMachinesOnly) {
  FakeServer proxy({reply_of("by proxy")});
  FakeServer server({reply_of("directly")});
  const ScopedVariable variable("HTTP_PROXY", proxy.url());
  EXPECT_EQ(send(get("http://models.invalid/v1")).body, "by proxy");
  EXPECT_EQ(proxy.requests().at(0).target, "http://models.invalid/v1");
  EXPECT_EQ(send(get(server.url("/"))).body, "directly");
}

TEST(HttpClient, TlsWithAServerThatSpeaksNoneIsUnavailableAndNamesTheVariable) {
  FakeServer server({reply_of("plain")});
  const Error error = failure_of(get("https://127.0.0.1:" + std::to_string(server.port())));
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_TRUE(contains(error.hint(), "SSL_CERT_FILE")) << error.hint();
}

TEST(CurlLibrary, ThatIsMissingIsNamedWithItsPackage) {
  try {
    load_curl("libcurl-that-is-not-there.so.4");
    FAIL() << "it was loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_TRUE(contains(error.hint(), "libcurl4")) << error.hint();
  }
}

}  // namespace
}  // namespace hone::net
