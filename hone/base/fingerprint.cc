#include "hone/base/fingerprint.h"

#include <openssl/rand.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hone {
namespace {

std::uint64_t random_key() {
  std::uint64_t key = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&key), sizeof key);
  return key;
}

}  // namespace

Fingerprint fingerprint(std::string_view text) {
  static const std::uint64_t key = random_key();
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), key);
  return {hash.high64, hash.low64};
}

}  // namespace hone
