// Fuzzes the reader of edits: the text, a NUL byte, then the reply. Whatever comes in is refused
// with a sentence, or changes exactly what it names, in any order.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hone/base/error.h"
#include "hone/prompt/edits.h"

namespace {

using hone::prompt::Edit;
using hone::prompt::UnfitEdits;

void check_exact(std::string_view text, const std::string& changed, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, [&](const Edit& edit) { return text.find(edit.search); });
  std::string_view rest = changed;
  std::size_t done = 0;
  const auto take = [&](std::string_view expected) {
    HONE_CHECK(rest.starts_with(expected));
    rest.remove_prefix(expected.size());
  };
  for (const Edit& edit : edits) {
    const std::size_t at = text.find(edit.search);
    HONE_CHECK(at >= done && text.rfind(edit.search) == at);
    take(text.substr(done, at - done));
    take(edit.replace);
    done = at + edit.search.size();
  }
  HONE_CHECK(rest == text.substr(done));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\0'), input.size());
  const std::string_view text = input.substr(0, end);
  const std::string_view reply = input.substr(std::min(end + 1, input.size()));
  const auto read = hone::prompt::read_edits(reply);
  if (const auto* unfit = std::get_if<UnfitEdits>(&read)) {
    HONE_CHECK(!unfit->problem.empty());
    return 0;
  }
  std::vector<Edit> edits = std::get<std::vector<Edit>>(read);
  const auto result = hone::prompt::apply_edits(text, edits);
  if (const auto* changed = std::get_if<std::string>(&result)) check_exact(text, *changed, edits);
  std::ranges::reverse(edits);
  const auto reversed = hone::prompt::apply_edits(text, edits);
  HONE_CHECK(result.index() == reversed.index());
  if (result.index() == 0) HONE_CHECK(result == reversed);
  return 0;
}
