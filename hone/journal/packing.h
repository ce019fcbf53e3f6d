// Compression of what goes to the disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace hone::journal {

// Zstandard (RFC 8878), where it helps with something before: what stands there too is not written
// again. Threads: one at a time.
class Packer {
 public:
  Packer();
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  // Holds until the next call.
  std::string_view pack(std::string_view bytes, std::string_view before = {});
  // Absent when these are no packed bytes, or not after this.
  std::optional<std::string> unpack(std::string_view packed, std::string_view before = {});

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> compressor_;
  std::unique_ptr<ZSTD_DCtx_s, Free> decompressor_;
  std::string packed_;
};

}  // namespace hone::journal
