// The difference of two texts, by words or by lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone {

enum class Change { Kept, Removed, Added };

// A piece of text and what became of it.
struct DiffPiece {
  Change change = Change::Kept;
  std::string text;

  bool operator==(const DiffPiece&) const = default;
};

enum class DiffUnit {
  Words,  // White space counts as words of its own.
  Lines,
};

// What turns `before` into `after` (Myers). No two neighbours are of one kind; what was removed
// stands in front of what came for it. The kept and removed pieces together are `before`, the kept
// and added ones `after`, where bytes that are no UTF-8 have become U+FFFD. Texts that have nothing
// in common and are very long are compared more coarsely after 2 s.
std::vector<DiffPiece> difference(std::string_view before, std::string_view after,
                                  DiffUnit unit = DiffUnit::Words);

// The share of text that both have in common: 1 for equal texts, 0 for nothing.
double similarity(const std::vector<DiffPiece>& pieces);

}  // namespace hone
