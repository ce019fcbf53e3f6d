// Finds what is sensitive in text: credentials, personal data, names and addresses of machines that
// are nobody else's business. What is looked for is data: sensitive_rules.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hone {

// Which classes are looked for.
struct Redaction {
  bool secrets = true;         // Keys, tokens, passwords, connection strings.
  bool personal = true;        // Mail addresses, phone numbers, cards (Luhn), accounts (IBAN).
  bool infrastructure = true;  // Private addresses, internal names of hosts and URLs.

  bool operator==(const Redaction&) const = default;
};

// What was found, as positions in the text. `kind` is upper case: "EMAIL".
struct Sensitive {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view kind;
};

// The first at or after `from`; nothing before `from` belongs to it. Made for one pass over text
// that mostly holds nothing: about a nanosecond a byte.
std::optional<Sensitive> find_sensitive(std::string_view text, std::size_t from,
                                        const Redaction& redaction);

// The length of the placeholder ("[EMAIL_1]", of any kind that find_sensitive gives, or "LITERAL")
// with which the text begins; 0 if it does not begin with one.
std::size_t placeholder_length(std::string_view text);

}  // namespace hone
