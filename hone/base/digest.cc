#include "hone/base/digest.h"

#include <openssl/evp.h>

#include <array>
#include <memory>

namespace hone {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

using Digest = std::array<unsigned char, 32>;

Digest digest_of(std::string_view bytes) {
  // SHA256() looks its implementation up by name every time, under a lock.
  static EVP_MD* const implementation = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  thread_local const Context context(EVP_MD_CTX_new());
  Digest digest{};
  EVP_DigestInit_ex2(context.get(), implementation, nullptr);
  EVP_DigestUpdate(context.get(), bytes.data(), bytes.size());
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  return digest;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * sizeof(Digest));
  for (const unsigned char byte : digest_of(bytes)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::int64_t short_sha256(std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) number = number << 8 | digest[i];
  return static_cast<std::int64_t>(number);
}

}  // namespace hone
