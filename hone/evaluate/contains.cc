#include "hone/evaluate/contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kShownColumns = 200;

core::Issue missing(const std::string& text) {
  core::Issue issue;
  issue.kind = "contains";
  issue.message = fmt::format("the output does not contain `{}`", one_line(text, kShownColumns));
  return issue;
}

}  // namespace

ContainsCheck::ContainsCheck(std::vector<std::string> texts) : texts_(std::move(texts)) {
  const bool empty = std::ranges::any_of(texts_, &std::string::empty);
  if (!texts_.empty() && !empty) return;
  throw Error(ErrorKind::InvalidInput, "the check `contains` has no text to look for",
              "give a text, or a list of texts, that are not empty");
}

async<core::Evaluation> ContainsCheck::evaluate(core::Context, const core::Run&,
                                                const core::Output& output) {
  std::vector<core::Issue> issues;
  for (const std::string& text : texts_) {
    if (output.text.find(text) == std::string::npos) issues.push_back(missing(text));
  }
  if (issues.empty()) co_return core::passed();
  const auto found = static_cast<double>(texts_.size() - issues.size());
  const Score share(found / static_cast<double>(texts_.size()));
  co_return core::failed(share, std::move(issues));
}

}  // namespace hone::evaluate
