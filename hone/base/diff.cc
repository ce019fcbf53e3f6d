#include "hone/base/diff.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/text.h"
#include "rust/hone_rust.h"

namespace hone {
namespace {

hone_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

Change change_of(const std::string& mark) {
  if (mark == "=") return Change::Kept;
  return mark == "-" ? Change::Removed : Change::Added;
}

// Two texts of any size are compared, and text grows as JSON.
constexpr JsonLimits kNoLimits{.depth = 4, .bytes = SIZE_MAX};

}  // namespace

std::vector<DiffPiece> difference(std::string_view before, std::string_view after, DiffUnit unit) {
  const std::string left = to_utf8(before);
  const std::string right = to_utf8(after);
  const hone_reply reply =
      hone_text_difference(bytes(left), bytes(right), unit == DiffUnit::Lines ? HONE_BY_LINES : 0);
  const std::string text(reply.text.data, reply.text.size);
  hone_string_free(reply.text);
  if (reply.status != HONE_OK) throw Error(ErrorKind::Internal, "comparing two texts: " + text);
  std::vector<DiffPiece> pieces;
  for (const Json& piece : parse_json(text, kNoLimits)) {
    pieces.push_back({change_of(piece[0].get<std::string>()), piece[1].get<std::string>()});
  }
  return pieces;
}

double similarity(const std::vector<DiffPiece>& pieces) {
  std::size_t kept = 0;
  std::size_t all = 0;
  for (const DiffPiece& piece : pieces) {
    const bool both = piece.change == Change::Kept;
    if (both) kept += 2 * piece.text.size();
    all += (both ? 2 : 1) * piece.text.size();
  }
  return all == 0 ? 1.0 : static_cast<double>(kept) / static_cast<double>(all);
}

}  // namespace hone
