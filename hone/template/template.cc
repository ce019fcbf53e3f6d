#include "hone/template/template.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "rust/hone_rust.h"

namespace hone::templates {
namespace {

hone_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

std::string_view hint(const hone_reply& reply, std::string_view message) {
  if (reply.status == HONE_LIMIT) return "look for a loop or a macro that never ends";
  if (message.starts_with("undefined value")) {
    return "give the value, or write `| default('')` or `{% if … is defined %}`";
  }
  return {};
}

Error failure(const std::string& name, const hone_reply& reply, const std::string& message) {
  if (reply.status == HONE_BUG) {
    return {ErrorKind::Internal, fmt::format("template `{}`: {}", name, message)};
  }
  const std::string line = reply.line == 0 ? "" : fmt::format(":{}", reply.line);
  const std::string reason = reply.status == HONE_LIMIT ? "it does not come to an end" : message;
  return {ErrorKind::InvalidInput, fmt::format("template `{}`{}: {}", name, line, reason),
          std::string(hint(reply, message))};
}

// Takes the reply's text over; throws if it is a failure.
std::string taken(const std::string& name, const hone_reply& reply) {
  std::string text(reply.text.data, reply.text.size);
  hone_string_free(reply.text);
  if (reply.status != HONE_OK) throw failure(name, reply, text);
  return text;
}

std::uint32_t flags(Blocks blocks) {
  return blocks == Blocks::OwnLines ? HONE_TRIM_BLOCKS | HONE_LSTRIP_BLOCKS : 0;
}

// A variable in the form in which it crosses the border.
class Crossing {
 public:
  explicit Crossing(const Variable& variable) {
    crossing_.name = bytes(variable.name);
    std::visit(*this, variable.value);
  }

  void operator()(std::string_view text) {
    crossing_.kind = HONE_TEXT;
    crossing_.text = bytes(text);
  }
  void operator()(bool flag) {
    crossing_.kind = HONE_FLAG;
    crossing_.flag = flag ? 1 : 0;
  }
  void operator()(std::span<const std::string> texts) {
    crossing_.kind = HONE_TEXTS;
    crossing_.count = texts.size();
    for (const std::string& text : texts) texts_.push_back(bytes(text));
  }
  void operator()(const JsonText* json) {
    crossing_.kind = HONE_JSON;
    crossing_.text = bytes(json->text);
  }

  hone_variable variable() const {
    hone_variable variable = crossing_;
    variable.texts = texts_.data();
    return variable;
  }

 private:
  hone_variable crossing_{};
  std::vector<hone_bytes> texts_;
};

}  // namespace

void Template::Free::operator()(hone_template* compiled) const { hone_template_free(compiled); }

Template::Template(std::string name, std::string_view source, const TemplateOptions& options)
    : name_(std::move(name)) {
  hone_reply reply;
  compiled_.reset(
      hone_template_new(bytes(name_), bytes(source), flags(options.blocks), options.fuel, &reply));
  taken(name_, reply);
}

Template::~Template() = default;
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;

std::string Template::render(std::string_view context_json) const {
  return taken(name_, hone_template_render(compiled_.get(), bytes(context_json)));
}

std::string Template::render(std::span<const Variable> variables) const {
  const std::vector<Crossing> crossings(variables.begin(), variables.end());
  std::vector<hone_variable> all;
  for (const Crossing& crossing : crossings) all.push_back(crossing.variable());
  return taken(name_, hone_template_render_with(compiled_.get(), all.data(), all.size()));
}

std::vector<std::string> Template::undeclared_variables() const {
  const std::string names = taken(name_, hone_template_variables(compiled_.get()));
  return parse_json(names).get<std::vector<std::string>>();
}

}  // namespace hone::templates
