// How likely each of some short answers was, from the alternatives that a provider tells of the
// first tokens.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hone/model/answer.h"

namespace hone::model {

// One probability for each choice, in order: that the answer begins with it, in any case of its
// letters, white space before it aside. An alternative that begins several choices counts for the
// one that the answer goes on with; where the answer took another way, it counts for none of them.
// Empty without choices or tokens.
std::vector<double> choice_probabilities(std::span<const std::string> choices,
                                         std::span<const TokenChoice> tokens);

}  // namespace hone::model
