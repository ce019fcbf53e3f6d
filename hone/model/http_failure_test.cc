#include "hone/model/http_failure.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hone::model {
namespace {

net::HttpResponse response_of(int status, std::string body,
                              std::vector<net::HttpHeader> headers = {}) {
  return {.status = status, .headers = std::move(headers), .body = std::move(body)};
}

const ModelServer kServer{
    .model = "m", .base_url = "http://h/v1", .key_name = "OPENAI_API_KEY", .has_key = true};

struct StatusCase {
  int status;
  const char* body;
  ErrorKind kind;
  const char* says;  // In message or hint.
};

TEST(ProviderFailure, IsNamedByWhatToDoAboutIt) {
  const std::vector<StatusCase> cases = {
      {401, R"({"error":{"message":"Incorrect API key"}})", ErrorKind::InvalidInput,
       "the key was refused"},
      {401, "", ErrorKind::InvalidInput, "OPENAI_API_KEY"},
      {403, "{}", ErrorKind::InvalidInput, "the key was refused"},
      {404, R"({"error":{"code":"model_not_found"}})", ErrorKind::NotFound, "`m`"},
      {404, "<html>", ErrorKind::NotFound, "`hone models`"},
      {429, R"({"error":{"message":"slow down"}})", ErrorKind::Overloaded, "slow down"},
      {429, R"({"error":{"code":"insufficient_quota"}})", ErrorKind::InvalidInput, "credit"},
      {402, R"({"type":"error","error":{"type":"billing_error","message":"pay"}})",
       ErrorKind::InvalidInput, "credit"},
      {400, R"({"type":"error","error":{"message":"Your credit balance is too low"}})",
       ErrorKind::InvalidInput, "credit"},
      {413, R"({"type":"error","error":{"type":"request_too_large","message":"big"}})",
       ErrorKind::InvalidInput, "does not fit"},
      {529, R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})",
       ErrorKind::Overloaded, "busy"},
      {500, "oops", ErrorKind::Unavailable, "oops"},
      {502, "<html>bad gateway</html>", ErrorKind::Unavailable, "bad gateway"},
      {503, "", ErrorKind::Unavailable, "503"},
      {529, "", ErrorKind::Overloaded, "529"},
      {408, "", ErrorKind::Unavailable, "408"},
      {400, R"({"error":{"message":"too big","code":"context_length_exceeded"}})",
       ErrorKind::InvalidInput, "does not fit"},
      {400, R"({"error":{"message":"the request exceeds the available context size"}})",
       ErrorKind::InvalidInput, "does not fit"},
      {400, R"({"error":{"message":"no","code":"content_policy_violation"}})", ErrorKind::Refused,
       "no"},
      {400, R"({"error":{"message":"bad temperature"}})", ErrorKind::InvalidInput,
       "bad temperature"},
      {400, R"({"error":"plain text"})", ErrorKind::InvalidInput, "plain text"},
      {422, R"({"detail":[{"msg":"field required"}]})", ErrorKind::InvalidInput, "field required"},
      {302, "", ErrorKind::InvalidInput, "redirects"},
  };
  for (const auto& [status, body, kind, says] : cases) {
    const Error error = provider_failure(kServer, response_of(status, body), Instant{});
    EXPECT_EQ(error.kind(), kind) << status << " " << body;
    EXPECT_NE((error.message() + " " + error.hint()).find(says), std::string::npos)
        << error.message();
  }
}

TEST(ProviderFailure, WithoutAKeySaysThatOneIsWanted) {
  ModelServer server = kServer;
  server.has_key = false;
  const Error error = provider_failure(server, response_of(401, ""), Instant{});
  EXPECT_NE(error.message().find("asks for a key"), std::string::npos);
}

TEST(ProviderFailure, CarriesHowLongToWait) {
  const auto response = response_of(429, "{}", {{"Retry-After", "1.5"}});
  EXPECT_EQ(provider_failure(kServer, response, Instant{}).retry_after(),
            std::chrono::milliseconds(1500));
  EXPECT_EQ(provider_failure(kServer, response_of(429, "{}"), Instant{}).retry_after(),
            std::nullopt);
}

}  // namespace
}  // namespace hone::model
