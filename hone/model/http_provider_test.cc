#include "hone/model/http_provider.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "hone/base/error.h"
#include "hone/model/http_testing.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

// Sets what a test names and clears the rest, until it ends.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& set) {
    for (const char* name : kNames) unsetenv(name);
    for (const auto& [name, value] : set) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const char* name : kNames) unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static constexpr const char* kNames[] = {"OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY",
                                           "ANTHROPIC_BASE_URL"};
};

TEST(ProviderAccess, ComesFromTheEnvironmentOfTheProvider) {
  const Environment environment({{"OPENAI_API_KEY", "o"},
                                 {"ANTHROPIC_API_KEY", "a"},
                                 {"ANTHROPIC_BASE_URL", "http://gate/anthropic"}});
  const ProviderAccess openai = provider_access(parse_spec("openai:m"), {});
  EXPECT_EQ(openai.base_url, kOpenAiUrl);
  EXPECT_EQ(openai.key.reveal(), "o");
  const ProviderAccess anthropic = provider_access(parse_spec("anthropic:m"), {});
  EXPECT_EQ(anthropic.base_url, "http://gate/anthropic");
  EXPECT_EQ(anthropic.key.reveal(), "a");
  EXPECT_EQ(anthropic.key_name, "ANTHROPIC_API_KEY");
}

TEST(ProviderAccess, OfOptionsGoesBeforeTheEnvironment) {
  const std::map<std::string, std::string> set = {{"ANTHROPIC_BASE_URL", "http://gate"}};
  const Environment environment(set);
  EXPECT_EQ(provider_access(parse_spec("anthropic:m"), {.base_url = "http://own"}).base_url,
            "http://own");
}

TEST(ProviderAccess, GivesNoProvidersKeyToOtherServers) {
  const Environment environment({{"OPENAI_API_KEY", "o"}, {"ANTHROPIC_API_KEY", "a"}});
  const ProviderAccess other =
      provider_access(parse_spec("http://host/v1#m"), {.base_url = "http://not-this"});
  EXPECT_EQ(other.base_url, "http://host/v1");
  EXPECT_TRUE(other.key.is_empty());
}

TEST(MakeHttpModel, NeedsAKeyAtTheProvidersOwnAddress) {
  const Environment environment({});
  for (const char* name : {"openai:m", "anthropic:m"}) {
    try {
      make_http_model(parse_spec(name), name, {});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
      EXPECT_NE(error.hint().find("_API_KEY"), std::string::npos);
    }
  }
}

TEST(MakeHttpModel, SpeaksAsTheProviderDoes) {
  const Environment environment({{"ANTHROPIC_API_KEY", "sk-a"}, {"OPENAI_API_KEY", "sk-o"}});
  for (const WireKind& kind : wire_kinds()) {
    net::FakeServer server({whole_reply(kind.whole({}))});
    const std::string name = kind.name + ":m";
    const auto model = make_http_model(parse_spec(name), name, {.base_url = server.url("/v1/")});
    Call call;
    const core::ModelReply reply = call.reply(*model, Asked{});
    EXPECT_EQ(reply.text, "Hellö.");
    EXPECT_EQ(reply.usage.usd, std::nullopt) << "at another address its price is unknown";
    EXPECT_EQ(model->name(), name);
    const net::FakeRequest seen = server.requests().at(0);
    if (kind.name == "anthropic") {
      EXPECT_EQ(seen.target, "/v1/messages");
      EXPECT_EQ(seen.header("x-api-key"), "sk-a");
      EXPECT_EQ(seen.header("anthropic-version"), "2023-06-01");
      EXPECT_EQ(seen.header("authorization"), "");
    } else {
      EXPECT_EQ(seen.target, "/v1/chat/completions");
      EXPECT_EQ(seen.header("authorization"), "Bearer sk-o");
    }
  }
}

TEST(MakeHttpModel, IsForModelsBehindHttpOnly) {
  try {
    make_http_model(parse_spec("scripted:x.yaml"), "scripted:x.yaml", {});
    FAIL() << "it was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  }
}

}  // namespace
}  // namespace hone::model
