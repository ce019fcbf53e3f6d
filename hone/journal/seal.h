// Seals what was taken out of texts, so that only who has the key can read it.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace hone::journal {

// A key of AES-256-GCM (NIST SP 800-38D). It cannot be printed or copied out.
class SealKey {
 public:
  static SealKey random();
  // 64 hexadecimal digits, or 32 bytes in base64. Throws InvalidInput; the message does not hold
  // the text.
  static SealKey parse(std::string_view text);

  // Tells keys apart and reveals nothing of them: 16 hexadecimal digits.
  const std::string& fingerprint() const { return fingerprint_; }
  // A nonce, the text encrypted, and a tag over both and the `place`, where alone it can be opened.
  std::string seal(std::string_view text, std::string_view place) const;
  // Absent when it was changed, or sealed by another key or for another place.
  std::optional<std::string> open(std::string_view sealed, std::string_view place) const;

 private:
  friend class Sealer;
  using Bytes = std::array<unsigned char, 32>;
  explicit SealKey(const Bytes& bytes);

  Bytes bytes_;
  std::string fingerprint_;
};

// Where the key is: the text of it, or else a file.
struct SealKeyPlace {
  std::string key;
  std::string file;
};

// HONE_SEAL_KEY; else `file`, and if that is empty $XDG_CONFIG_HOME/hone/seal.key or
// ~/.config/hone/seal.key: not beside the store, of which copies are made.
SealKeyPlace seal_key_place(const std::string& file = {});

// The key of one user, made when it is first needed.
// Threads: any.
class Sealer {
 public:
  // Throws InvalidInput when there is a key that is none, or a file that others may read.
  explicit Sealer(SealKeyPlace place);

  // Makes the file, which only its owner can read, if there is none. Throws Unavailable when that
  // fails.
  const SealKey& key();
  // Null when there is no key yet.
  const SealKey* find_key();
  const std::string& file() const { return place_.file; }

 private:
  const SealKey* load();

  const SealKeyPlace place_;
  std::mutex mutex_;
  std::optional<SealKey> key_;
};

}  // namespace hone::journal
