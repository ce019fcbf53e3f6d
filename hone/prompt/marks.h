// The marks round material in a prompt: tags that the material cannot close.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hone::prompt {

// The name of a tag that no text contains, opening or closing, in any case or spacing: `name`, or
// `name` with digits of a hash over the texts, as many as it takes. The same texts always give the
// same mark, and a text cannot foresee the hash of itself.
std::string mark_for(std::string_view name, std::span<const std::string_view> texts);

}  // namespace hone::prompt
