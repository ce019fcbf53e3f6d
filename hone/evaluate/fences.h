// Code in the reply of a model.
#pragma once

#include <string>
#include <string_view>

namespace hone::evaluate {

// The code of a language ("python", "js"; empty: any) in a text. Fenced blocks of that language,
// else those without a language, else all: of these the ones that define something, one after the
// other, so that helpers and corrections count and examples of use do not; the last one where none
// defines anything. A fence that does not end goes to the end of the text. Without fences: the
// text, from its first line that is code where it begins with words.
std::string code_in(std::string_view text, std::string_view language);

}  // namespace hone::evaluate
