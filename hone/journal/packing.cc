#include "hone/journal/packing.h"

#include <zstd.h>

#include <new>

namespace hone::journal {
namespace {

// What `zstd` itself takes; what is small has little to gain and is packed often.
constexpr int kLevel = 3;
constexpr int kQuickLevel = -1;
constexpr std::size_t kSmall = 2048;
constexpr std::size_t kLargest = 1024 * 1024 * 1024;  // SQLite takes no larger value.

}  // namespace

void Packer::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void Packer::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Packer::Packer() : compressor_(ZSTD_createCCtx()), decompressor_(ZSTD_createDCtx()) {}

Packer::~Packer() = default;

std::string_view Packer::pack(std::string_view bytes, std::string_view before) {
  packed_.resize(ZSTD_compressBound(bytes.size()));
  const bool small = !before.empty() && bytes.size() < kSmall;
  ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, small ? kQuickLevel : kLevel);
  ZSTD_CCtx_refPrefix(compressor_.get(), before.data(), before.size());
  const std::size_t size =
      ZSTD_compress2(compressor_.get(), packed_.data(), packed_.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // There is no other reason.
  return std::string_view(packed_).substr(0, size);
}

std::optional<std::string> Packer::unpack(std::string_view packed, std::string_view before) {
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > kLargest) return std::nullopt;  // So are the values that tell of an error.
  std::string bytes(size, '\0');
  ZSTD_DCtx_refPrefix(decompressor_.get(), before.data(), before.size());
  const std::size_t read = ZSTD_decompressDCtx(decompressor_.get(), bytes.data(), bytes.size(),
                                               packed.data(), packed.size());
  if (ZSTD_isError(read) != 0 || read != bytes.size()) return std::nullopt;
  return bytes;
}

}  // namespace hone::journal
