// The words that a search compares: lower case, stems, no filler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::memory {

// The words of a text in order, repeats included. Names in code are taken apart (`parseJson`,
// `parse_json`), English words lose their endings, words that say nothing ("the", "with") are left
// out. Scripts without spaces give each pair of neighbouring characters. Bytes that are not UTF-8
// separate words.
std::vector<std::string> words_of(std::string_view text);

// How much a word tells, in (0, 1]: little for those that most tasks have ("write", "list",
// "return"), all of it for others.
double weight_of(std::string_view word);

}  // namespace hone::memory
