// Search/replace edits: reading them from a model's reply, applying them to a text.
//
// An edit is a pair of blocks, as targeted_edit.jinja asks for them:
//
//   <search>
//   a piece of the text
//   </search>
//   <replace>
//   what to put there
//   </replace>
//
// The line breaks next to the tags do not belong to the piece. Where the text has such tags itself,
// all four carry one suffix ("search-1a2b3c"). Taken as well: blocks between the lines
// "<<<<<<< SEARCH", "=======" and ">>>>>>> REPLACE", and JSON such as
// [{"search": "…", "replace": "…"}], bare, as the only edit, or under "edits". What stands between
// edits is ignored.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hone::prompt {

struct Edit {
  std::string search;   // Occurs exactly once in the text.
  std::string replace;  // Empty to delete.

  bool operator==(const Edit&) const = default;
};

// Why edits cannot be used, as half a sentence: "edit 2: its search text occurs more than once: `x
// = 1`".
struct UnfitEdits {
  std::string problem;

  bool operator==(const UnfitEdits&) const = default;
};

// More edits than this in one reply are no targeted ones.
inline constexpr std::size_t kMostEdits = 100;

// The edits of a reply, in its order; at least one. A reply with a block that is cut off or
// ambiguous has none.
std::variant<std::vector<Edit>, UnfitEdits> read_edits(std::string_view reply);

// The text with all edits applied, which all refer to `text` as it is: their order does not matter,
// and every byte outside of them stays. Refused as a whole, with what is wrong about each edit:
// search texts that are empty, not there or there more than once, edits that overlap or change
// nothing, and edits that leave nothing but white space.
std::variant<std::string, UnfitEdits> apply_edits(std::string_view text,
                                                  const std::vector<Edit>& edits);

// The suffix of the tags for edits of this text: empty, or "-" and digits of a hash.
std::string edit_suffix(std::string_view text);

}  // namespace hone::prompt
