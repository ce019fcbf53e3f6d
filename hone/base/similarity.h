// How alike two texts are, without a model.
#pragma once

#include <string_view>

namespace hone {

// The share of shingles that both texts have, in [0, 1]: the Jaccard index (Broder, "On the
// resemblance and containment of documents", 1997) of runs of three words, or of three characters
// where a text has fewer than twelve words (code, other scripts, short answers). White space counts
// as one blank. 1 for texts that differ in nothing else, also when both are empty.
double similarity(std::string_view left, std::string_view right);

}  // namespace hone
