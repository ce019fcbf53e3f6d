#define PCRE2_CODE_UNIT_WIDTH 8
#include "hone/evaluate/pattern.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

// PCRE2 counts its own limits anew for each place where a match could start, and does not count the
// characters that an item runs over, so that quadratic patterns escape them. Callouts, which come
// before each item of the pattern, are counted over the whole search. The limits of PCRE2 bound
// what happens between callouts, and memory.
constexpr std::uint32_t kMatchLimit = 5'000'000;
constexpr std::uint32_t kDepthLimit = 1'000'000;
constexpr std::uint32_t kHeapKibibytes = 64 * 1024;
constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_AUTO_CALLOUT;

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Code = std::unique_ptr<pcre2_code, FreeWith<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, FreeWith<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, FreeWith<pcre2_match_context_free>>;

std::string message_of(int code) {
  std::array<unsigned char, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

PCRE2_SPTR bytes(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

Code compile(const std::string& source) {
  int failure = 0;
  PCRE2_SIZE offset = 0;
  Code code(pcre2_compile(bytes(source), source.size(), kOptions, &failure, &offset, nullptr));
  if (code) return code;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("the pattern `{}` is wrong at offset {}: {}", one_line(source, 120),
                          offset, message_of(failure)),
              "patterns are those of PCRE2; in YAML write them in single quotes");
}

// Running over so many characters takes as long as one step.
constexpr std::size_t kCharactersPerStep = 32;

struct Effort {
  std::size_t steps = 0;
  std::size_t most = 0;
  std::size_t position = 0;
};

int count_step(pcre2_callout_block* block, void* data) {
  Effort& effort = *static_cast<Effort*>(data);
  const std::size_t now = block->current_position;
  const std::size_t distance = std::max(now, effort.position) - std::min(now, effort.position);
  effort.position = now;
  effort.steps += 1 + distance / kCharactersPerStep;
  return effort.steps > effort.most ? PCRE2_ERROR_CALLOUT : 0;
}

MatchContext limited(Effort& effort) {
  MatchContext context(pcre2_match_context_create(nullptr));
  if (!context) throw std::bad_alloc();
  pcre2_set_match_limit(context.get(), kMatchLimit);
  pcre2_set_depth_limit(context.get(), kDepthLimit);
  pcre2_set_heap_limit(context.get(), kHeapKibibytes);
  pcre2_set_callout(context.get(), count_step, &effort);
  return context;
}

}  // namespace

struct Pattern::Compiled {
  Code code;
};

Pattern::Pattern(std::string source)
    : source_(std::move(source)), compiled_(std::make_unique<Compiled>(compile(source_))) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Pattern::Result Pattern::find(std::string_view text) const {
  Effort effort;
  effort.most = kMostSteps + kMostStepsPerByte * text.size();
  const MatchContext context = limited(effort);
  const MatchData data(pcre2_match_data_create(1, nullptr));
  if (!data) throw std::bad_alloc();
  const int result =
      pcre2_match(compiled_->code.get(), bytes(text), text.size(), 0, 0, data.get(), context.get());
  if (result == PCRE2_ERROR_NOMATCH) return {};
  if (result < 0) return {Answer::GaveUp, 0, 0};
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data.get());
  return {Answer::Found, ends[0], ends[1]};
}

}  // namespace hone::evaluate
