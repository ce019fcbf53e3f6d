#include "hone/model/spec.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::model {
namespace {

constexpr std::string_view kForms =
    "write local, local:NAME, local:PATH.gguf, openai:MODEL, anthropic:MODEL, "
    "http://host/v1#MODEL, command:CMD or scripted:FILE";

constexpr std::array<std::string_view, 6> kNames{"local", "openai",  "anthropic",
                                                 "http",  "command", "scripted"};

[[noreturn]] void fail(std::string message, std::string_view hint = kForms) {
  throw Error(ErrorKind::InvalidInput, std::move(message), std::string(hint));
}

ModelSpec parse_local(std::string_view rest) {
  ModelSpec spec;
  (lower(rest).ends_with(".gguf") ? spec.file : spec.model) = rest;
  return spec;
}

ModelSpec parse_named(Provider provider, std::string_view rest) {
  const std::string_view name = to_string(provider);
  if (trim(rest).empty()) {
    fail(fmt::format("the model `{}:` names no model", name), fmt::format("write {}:MODEL", name));
  }
  return {.provider = provider, .model = std::string(trim(rest))};
}

ModelSpec parse_url(std::string_view text) {
  const auto hash = text.rfind('#');
  const std::string_view url = text.substr(0, hash);
  const std::string_view model =
      hash == std::string_view::npos ? std::string_view() : trim(text.substr(hash + 1));
  const std::string_view host = url.substr(url.find("://") + 3);
  if (host.empty() || host.front() == '/' || host.front() == ':') {
    fail(fmt::format("the model `{}` names no host", text));
  }
  if (model.empty()) {
    fail(fmt::format("the model `{}` does not say which model of that server", text),
         fmt::format("write {}#MODEL", url));
  }
  return {.provider = Provider::Compatible, .model = std::string(model), .url = std::string(url)};
}

ModelSpec parse_command(std::string_view rest) {
  if (trim(rest).empty()) {
    fail("the model `command:` names no command", "write command:CMD, such as command:./ask.sh");
  }
  return {.provider = Provider::Command, .command = std::string(trim(rest))};
}

ModelSpec parse_scripted(std::string_view rest) {
  if (rest.empty()) fail("the model `scripted:` names no file", "write scripted:FILE");
  return {.provider = Provider::Scripted, .file = std::string(rest)};
}

[[noreturn]] void refuse(std::string_view text, std::string_view provider) {
  static const std::vector<std::string> known{"local",     "openai",   "http",   "https",
                                              "anthropic", "scripted", "command"};
  const auto near = nearest(provider, known);
  const std::string question =
      near && *near != provider ? fmt::format("; did you mean `{}`?", *near) : std::string();
  if (provider.size() == text.size()) {
    fail(fmt::format("`{}` is not a model: it names no provider{}", text, question));
  }
  fail(fmt::format("`{}` is no known provider of the model `{}`{}", provider, text, question));
}

}  // namespace

std::string_view to_string(Provider provider) { return kNames[static_cast<std::size_t>(provider)]; }

ModelSpec parse_spec(std::string_view text) {
  text = trim(text);
  if (text.empty()) fail("the name of the model is empty");
  const auto colon = text.find(':');
  const std::string_view provider = text.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (text == "local:") fail("the model `local:` names no model", "write local or local:NAME");
  if (provider == "local") return parse_local(rest);
  if (provider == "openai") return parse_named(Provider::OpenAi, rest);
  if (provider == "anthropic") return parse_named(Provider::Anthropic, rest);
  if ((provider == "http" || provider == "https") && rest.starts_with("//")) return parse_url(text);
  if (provider == "command") return parse_command(rest);
  if (provider == "scripted") return parse_scripted(rest);
  refuse(text, provider);
}

std::string to_string(const ModelSpec& spec) {
  switch (spec.provider) {
    case Provider::Local: {
      const std::string& which = spec.file.empty() ? spec.model : spec.file;
      return which.empty() ? "local" : "local:" + which;
    }
    case Provider::OpenAi:
      return "openai:" + spec.model;
    case Provider::Anthropic:
      return "anthropic:" + spec.model;
    case Provider::Compatible:
      return fmt::format("{}#{}", spec.url, spec.model);
    case Provider::Command:
      return "command:" + spec.command;
    case Provider::Scripted:
      return "scripted:" + spec.file;
  }
  fail_check("a known provider", __FILE__, __LINE__);
}

bool is_own_address(Provider provider, std::string_view base_url) {
  if (provider != Provider::OpenAi && provider != Provider::Anthropic) return false;
  const bool is_openai = provider == Provider::OpenAi;
  const std::string_view host = is_openai ? "https://api.openai.com" : kAnthropicUrl;
  if (base_url.empty()) return true;
  if (!base_url.starts_with(host)) return false;
  const std::string_view rest = base_url.substr(host.size());
  return rest.empty() || rest.front() == '/' || rest.front() == ':';
}

void require_key(const ModelSpec& spec, const HttpAccess& access) {
  if (access.has_key || !is_own_address(spec.provider, access.base_url)) return;
  const bool is_openai = spec.provider == Provider::OpenAi;
  const std::string_view name = is_openai ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY";
  fail(fmt::format("the model `{}` needs a key, and there is none", to_string(spec)),
       fmt::format("set {} or give --api-key-file FILE; a server of your own is reached by "
                   "--base-url or http://host/v1#MODEL",
                   name));
}

}  // namespace hone::model
