#include "hone/base/digest.h"

#include <openssl/evp.h>

#include <array>

namespace hone {

std::string sha256(std::string_view bytes) {
  // SHA256() looks its implementation up by name every time, under a lock.
  static EVP_MD* const implementation = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::array<unsigned char, 32> digest{};
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, implementation, nullptr);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace hone
