#include "hone/core/context.h"

#include <charconv>
#include <string>
#include <utility>

namespace hone::core {
namespace {

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace

std::uint64_t SeededRandom::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  return mix(state_);
}

Context Context::at(std::string_view step) const {
  const std::string& above = path;
  std::string longer;
  longer.reserve(above.size() + 1 + step.size());
  longer += above;
  if (!above.empty()) longer += '/';
  longer += step;
  Context below = *this;
  below.path = std::move(longer);
  return below;
}

Context Context::at(std::string_view step, int index) const {
  std::string numbered(step);
  char digits[12];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), index).ptr;
  numbered += '/';
  numbered.append(digits, end);
  return at(numbered);
}

Context Context::counting_in(Ledger& scope) const {
  Context counting = *this;
  counting.ledger = &scope;
  return counting;
}

Instant Context::emit(const Event& event) const { return events->emit(run, event, clock->now()); }

std::uint64_t Context::seed(std::uint64_t run_seed) const {
  std::uint64_t hash = run_seed;
  for (const char c : path.text()) hash = mix(hash ^ static_cast<unsigned char>(c));
  return hash;
}

}  // namespace hone::core
