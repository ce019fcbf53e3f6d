// Proxies: plain requests go through one as they are, TLS through a tunnel.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/net/fake_server.h"
#include "hone/net/http_client.h"

namespace hone::net {
namespace {

class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { unsetenv(name_); }

 private:
  const char* name_;
};

async<void> fetch(const HttpClient& client, HttpRequest request, HttpResponse* response) {
  *response = co_await client.send(std::move(request));
}

HttpResponse get(const std::string& url) {
  const HttpClient client;
  HttpRequest request;
  request.url = url;
  request.headers = {{"Authorization", "Bearer sk-secret"}};
  HttpResponse response;
  run_sync([&] { return fetch(client, request, &response); });
  return response;
}

Error failure(const std::string& url) {
  try {
    get(url);
  } catch (...) {
    return to_error(std::current_exception());
  }
  return {ErrorKind::Internal, "it succeeded"};
}

TEST(Proxy, OfPlainRequestsIsAskedForTheWholeAddress) {
  for (const char* name : {"HTTP_PROXY", "http_proxy"}) {
    FakeServer proxy({{.chunks = {"by proxy"}}});
    const ScopedVariable variable(name, proxy.url());
    EXPECT_EQ(get("http://models.invalid/v1").body, "by proxy") << name;
    EXPECT_EQ(proxy.requests().at(0).target, "http://models.invalid/v1");
  }
}

TEST(Proxy, OfTlsIsAskedForATunnelAndSeesNoKey) {
  for (const char* name : {"HTTPS_PROXY", "https_proxy"}) {
    const std::vector<FakeReply> replies = {{.status = 403}};
    FakeServer proxy(replies);
    const ScopedVariable variable(name, proxy.url());
    const Error error = failure("https://models.invalid/v1");
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable) << error.message();
    const FakeRequest asked = proxy.requests().at(0);
    EXPECT_EQ(asked.method + " " + asked.target, "CONNECT models.invalid:443");
    EXPECT_EQ(asked.header("authorization"), "");
  }
}

TEST(Proxy, IsNotAskedForWhatNoProxyNames) {
  FakeServer proxy({{.chunks = {"by proxy"}}, {.chunks = {"by proxy"}}});
  const ScopedVariable variable("HTTP_PROXY", proxy.url());
  const ScopedVariable except("NO_PROXY", "models.invalid,.example");
  EXPECT_EQ(failure("http://models.invalid/v1").kind(), ErrorKind::Unavailable);
  EXPECT_EQ(failure("http://host.example/v1").kind(), ErrorKind::Unavailable);
  EXPECT_EQ(proxy.requests().size(), 0U);
  EXPECT_EQ(get("http://other.invalid/v1").body, "by proxy");
}

TEST(Proxy, ThatDoesNotAnswerIsUnreachable) {
  const ScopedVariable variable("HTTP_PROXY", "http://127.0.0.1:" + std::to_string(refused_port()));
  EXPECT_THROW(get("http://models.invalid/v1"), Unreachable);
}

}  // namespace
}  // namespace hone::net
