#include "hone/prompt/templates.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/prompt/values.h"
#include "hone/template/template.h"

namespace hone::prompt {
namespace {

constexpr std::size_t kHashDigits = 12;

struct Compiled {
  templates::Template text;
  core::PromptIdentity identity;
};

Compiled compile(const Text& prompt) {
  const templates::TemplateOptions options{.blocks = templates::Blocks::OwnLines};
  return {templates::Template(std::string(prompt.name), prompt.source, options),
          {std::string(prompt.name), sha256(prompt.source).substr(0, kHashDigits)}};
}

std::vector<Compiled> compile_all() {
  std::vector<Compiled> all;
  for (const Text& prompt : prompt_texts()) all.push_back(compile(prompt));
  return all;
}

const Compiled& compiled(std::string_view name) {
  static const std::vector<Compiled> all = compile_all();
  const auto found = std::ranges::find(
      all, name, [](const Compiled& one) -> std::string_view { return one.identity.name; });
  if (found == all.end()) throw Error(ErrorKind::NotFound, "no prompt `" + std::string(name) + "`");
  return *found;
}

}  // namespace

JsonText schema_named(std::string_view name) {
  const auto found = std::ranges::find(schema_texts(), name, &Text::name);
  if (found == schema_texts().end()) {
    throw Error(ErrorKind::NotFound, "no schema `" + std::string(name) + "`");
  }
  return {std::string(found->source)};
}

std::string render(std::string_view name, const Values& values) {
  return compiled(name).text.render(values.variables());
}

core::PromptIdentity identity_of(std::string_view name) { return compiled(name).identity; }

}  // namespace hone::prompt
