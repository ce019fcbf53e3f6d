#include "hone/journal/seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/hexadecimal.h"
#include "hone/base/text.h"

namespace hone::journal {
namespace {

constexpr std::size_t kNonce = 12;
constexpr std::size_t kTag = 16;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
int length(std::string_view text) { return static_cast<int>(text.size()); }

void check(bool done) {
  if (!done) throw Error(ErrorKind::Internal, "OpenSSL cannot encrypt with AES-256-GCM");
}

template <std::size_t size>
void fill_randomly(std::array<unsigned char, size>& target) {
  check(RAND_bytes(target.data(), static_cast<int>(size)) == 1);
}

Error no_key() {
  return {ErrorKind::InvalidInput, "the key for sealed originals is not one",
          "it is 64 hexadecimal digits (openssl rand -hex 32), or 32 bytes in base64"};
}

bool is_hexadecimal(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string from_base64(std::string_view text) {
  std::string decoded(text.size(), '\0');
  const int size = EVP_DecodeBlock(bytes(decoded), bytes(text), length(text));
  decoded.resize(static_cast<std::size_t>(std::max(size, 0)));
  return decoded;
}

}  // namespace

SealKey::SealKey(const Bytes& bytes) : bytes_(bytes) {
  const std::string_view raw(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  fingerprint_ = sha256("hone seal key\n" + std::string(raw)).substr(0, 16);
}

SealKey SealKey::random() {
  Bytes bytes;
  fill_randomly(bytes);
  return SealKey(bytes);
}

SealKey SealKey::parse(std::string_view text) {
  constexpr std::size_t kBase64 = 44;  // With one "=".
  const std::string digits = lower(trim(text));
  std::string raw;
  Bytes bytes;
  if (digits.size() == 2 * bytes.size() && is_hexadecimal(digits)) {
    raw = from_hexadecimal(digits);
  } else if (trim(text).size() == kBase64 && trim(text).ends_with('=')) {
    raw = from_base64(trim(text)).substr(0, bytes.size());
  }
  if (raw.size() != bytes.size()) throw no_key();
  std::memcpy(bytes.data(), raw.data(), bytes.size());
  return SealKey(bytes);
}

std::string SealKey::seal(std::string_view text, std::string_view place) const {
  std::array<unsigned char, kNonce> nonce;
  fill_randomly(nonce);
  std::string sealed(reinterpret_cast<const char*>(nonce.data()), nonce.size());
  sealed.resize(kNonce + text.size() + kTag);
  const Context context(EVP_CIPHER_CTX_new());
  int size = 0;
  check(EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_.data(),
                           nonce.data()) == 1);
  check(EVP_EncryptUpdate(context.get(), nullptr, &size, bytes(place), length(place)) == 1);
  check(EVP_EncryptUpdate(context.get(), bytes(sealed) + kNonce, &size, bytes(text),
                          length(text)) == 1);
  check(EVP_EncryptFinal_ex(context.get(), bytes(sealed) + kNonce + size, &size) == 1);
  check(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTag,
                            bytes(sealed) + sealed.size() - kTag) == 1);
  return sealed;
}

std::optional<std::string> SealKey::open(std::string_view sealed, std::string_view place) const {
  if (sealed.size() < kNonce + kTag) return std::nullopt;
  const std::string_view body = sealed.substr(kNonce, sealed.size() - kNonce - kTag);
  std::string tag(sealed.substr(sealed.size() - kTag));
  std::string text(body.size(), '\0');
  const Context context(EVP_CIPHER_CTX_new());
  int size = 0;
  check(EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_.data(),
                           bytes(sealed)) == 1);
  check(EVP_DecryptUpdate(context.get(), nullptr, &size, bytes(place), length(place)) == 1);
  check(EVP_DecryptUpdate(context.get(), bytes(text), &size, bytes(body), length(body)) == 1);
  check(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kTag, tag.data()) == 1);
  if (EVP_DecryptFinal_ex(context.get(), bytes(text) + size, &size) != 1) return std::nullopt;
  return text;
}

SealKeyPlace seal_key_place(const std::string& file) {
  const auto value_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string key = value_of("HONE_SEAL_KEY"); !key.empty()) return {key, ""};
  if (!file.empty()) return {"", file};
  const std::string folder = value_of("XDG_CONFIG_HOME");
  if (folder.starts_with('/')) return {"", folder + "/hone/seal.key"};
  const std::string home = value_of("HOME");
  return {"", home.empty() ? "" : home + "/.config/hone/seal.key"};
}

namespace {

Error unusable(const std::string& file, std::string_view what) {
  return {
      ErrorKind::Unavailable,
      fmt::format("the key for sealed originals in `{}` {}: {}", file, what, std::strerror(errno)),
      "set HONE_SEAL_KEY, name a file with --seal-key-file, or keep no originals with --seal "
      "none"};
}

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

void check_owner(const File& file, const std::string& path) {
  struct stat status{};
  if (fstat(file.descriptor(), &status) != 0) throw unusable(path, "cannot be looked at");
  if ((status.st_mode & 077) == 0 && (status.st_uid == geteuid() || status.st_uid == 0)) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("others may read the key for sealed originals in `{}` (mode {:04o})",
                          path, status.st_mode & 07777),
              fmt::format("make it yours alone: chmod 600 {}", path));
}

// Absent if there is no such file.
std::optional<SealKey> read_key(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!file.is_open()) throw unusable(path, "cannot be read");
  check_owner(file, path);
  std::array<char, 256> content{};
  const auto size = ::read(file.descriptor(), content.data(), content.size());
  if (size < 0) throw unusable(path, "cannot be read");
  try {
    return SealKey::parse({content.data(), static_cast<std::size_t>(size)});
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{} (`{}`)", error.message(), path), error.hint());
  }
}

// Whole or not at all, and the first of several that try at once wins.
void make_key_file(const std::string& path, std::string_view text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::string draft = path + ".XXXXXX";
  const File file(::mkostemp(draft.data(), O_CLOEXEC));  // Mode 0600.
  if (!file.is_open()) throw unusable(path, "cannot be made");
  const bool written =
      ::write(file.descriptor(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file.descriptor()) == 0;
  const bool placed = written && (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int why = errno;
  ::unlink(draft.c_str());
  errno = why;
  if (!placed) throw unusable(path, "cannot be made");
}

}  // namespace

Sealer::Sealer(SealKeyPlace place) : place_(std::move(place)) { load(); }

const SealKey* Sealer::load() {
  if (key_) return &*key_;
  if (!place_.key.empty()) {
    key_ = SealKey::parse(place_.key);
  } else if (!place_.file.empty()) {
    key_ = read_key(place_.file);
  }
  return key_ ? &*key_ : nullptr;
}

const SealKey* Sealer::find_key() {
  const std::lock_guard lock(mutex_);
  return load();
}

const SealKey& Sealer::key() {
  const std::lock_guard lock(mutex_);
  if (const SealKey* known = load()) return *known;
  if (place_.file.empty()) {
    throw Error(ErrorKind::Unavailable,
                "neither XDG_CONFIG_HOME nor HOME says where the key for sealed originals is",
                "set HONE_SEAL_KEY, or keep no originals with --seal none");
  }
  const SealKey made = SealKey::random();
  const std::string_view raw(reinterpret_cast<const char*>(made.bytes_.data()), made.bytes_.size());
  make_key_file(place_.file, to_hexadecimal(raw) + "\n");
  const SealKey* loaded = load();
  if (loaded == nullptr) throw unusable(place_.file, "vanished");
  return *loaded;
}

}  // namespace hone::journal
