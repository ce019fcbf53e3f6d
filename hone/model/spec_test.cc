#include "hone/model/spec.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"

namespace hone::model {
namespace {

TEST(ModelSpec, TakesEveryFormApart) {
  struct Case {
    std::string text;
    ModelSpec expected;
  };
  const Case cases[] = {
      {"local", {}},
      {" local ", {}},
      {"local:qwen2.5", {.model = "qwen2.5"}},
      {"local:/models/My.GGUF", {.file = "/models/My.GGUF"}},
      {"openai:gpt-4.1", {.provider = Provider::OpenAi, .model = "gpt-4.1"}},
      {"openai:ft:gpt-4.1:x", {.provider = Provider::OpenAi, .model = "ft:gpt-4.1:x"}},
      {"anthropic:claude-opus-5", {.provider = Provider::Anthropic, .model = "claude-opus-5"}},
      {"http://h:8000/v1#org/m:7b",
       {.provider = Provider::Compatible, .model = "org/m:7b", .url = "http://h:8000/v1"}},
      {"https://h/v1#m", {.provider = Provider::Compatible, .model = "m", .url = "https://h/v1"}},
      {"command: cat -n ", {.provider = Provider::Command, .command = "cat -n"}},
      {"command:a:b", {.provider = Provider::Command, .command = "a:b"}},
      {"scripted:a b.yaml", {.provider = Provider::Scripted, .file = "a b.yaml"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(parse_spec(c.text), c.expected) << c.text;
    EXPECT_EQ(parse_spec(to_string(c.expected)), c.expected) << c.text;
  }
}

TEST(ModelSpec, SaysWhatIsMissingOrUnknown) {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"", "the name of the model is empty"},
      {"local:", "the model `local:` names no model"},
      {"openai", "the model `openai:` names no model"},
      {"openai:", "the model `openai:` names no model"},
      {"http://h/v1", "the model `http://h/v1` does not say which model of that server"},
      {"http://h/v1#", "the model `http://h/v1#` does not say which model of that server"},
      {"http:///v1#m", "the model `http:///v1#m` names no host"},
      {"command: ", "the model `command:` names no command"},
      {"scripted:", "the model `scripted:` names no file"},
      {"anthropic: ", "the model `anthropic:` names no model"},
      {"antropic:claude",
       "`antropic` is no known provider of the model `antropic:claude`; did you mean `anthropic`?"},
      {"opnai:gpt",
       "`opnai` is no known provider of the model `opnai:gpt`; did you mean `openai`?"},
      {"gpt-4.1", "`gpt-4.1` is not a model: it names no provider"},
      {"http:h", "`http` is no known provider of the model `http:h`"},
  };
  for (const Case& c : cases) {
    try {
      parse_spec(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << c.text;
      EXPECT_EQ(error.message(), c.message);
      EXPECT_FALSE(error.hint().empty()) << c.text;
    }
  }
}

TEST(ModelSpec, ProvidersOwnAddressNeedsAKey) {
  const ModelSpec openai = parse_spec("openai:gpt-4.1");
  EXPECT_THROW(require_key(openai, {}), Error);
  EXPECT_THROW(require_key(openai, {.base_url = std::string(kOpenAiUrl)}), Error);
  EXPECT_NO_THROW(require_key(openai, {.has_key = true}));
  EXPECT_NO_THROW(require_key(openai, {.base_url = "http://localhost:8000/v1"}));
  EXPECT_NO_THROW(require_key(openai, {.base_url = "https://api.openai.com.example.org/v1"}));
  const ModelSpec claude = parse_spec("anthropic:claude-opus-5");
  EXPECT_THROW(require_key(claude, {}), Error);
  EXPECT_THROW(require_key(claude, {.base_url = "https://api.anthropic.com/v1"}), Error);
  EXPECT_NO_THROW(require_key(claude, {.base_url = "http://localhost:8000"}));
  EXPECT_NO_THROW(require_key(claude, {.has_key = true}));
  EXPECT_NO_THROW(require_key(parse_spec("http://h/v1#m"), {}));
  EXPECT_NO_THROW(require_key(parse_spec("local"), {}));
}

}  // namespace
}  // namespace hone::model
