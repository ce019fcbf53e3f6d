#include "hone/prompt/values.h"

#include <span>

namespace hone::prompt {
namespace {

using Given = decltype(templates::Variable::value);

struct Giving {
  Given operator()(std::string_view text) const { return text; }
  Given operator()(const std::string& text) const { return std::string_view(text); }
  Given operator()(bool flag) const { return flag; }
  Given operator()(const std::vector<std::string>& texts) const { return std::span(texts); }
  Given operator()(const JsonText& json) const { return &json; }
};

}  // namespace

std::vector<templates::Variable> Values::variables() const {
  std::vector<templates::Variable> variables;
  variables.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    variables.push_back({entry.name, std::visit(Giving(), entry.value)});
  }
  return variables;
}

}  // namespace hone::prompt
