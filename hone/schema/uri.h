// URIs as references between schemas use them (RFC 3986).
#pragma once

#include <string>
#include <string_view>

namespace hone::schema {

// Where `reference` leads from a place in the document at `base`, which is an absolute URI; with
// the reference's fragment.
std::string resolved(std::string_view base, std::string_view reference);

// The part in front of `#`, and the part behind it.
std::string_view without_fragment(std::string_view uri);
std::string_view fragment_of(std::string_view uri);

// "a b" as "a%20b" and back; slashes stay. An escape that is none stays as it is.
std::string escaped(std::string_view path);
std::string unescaped(std::string_view path);

}  // namespace hone::schema
