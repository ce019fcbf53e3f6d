#include "apps/hone/stream.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "hone/core/json_form.h"

namespace hone::app {

Instant Stream::emit(const std::string& run, const core::Event& event, Instant at) {
  fmt::print("{}\n", dump(core::stream_json(event, run, at, ++sequence_)));
  std::fflush(stdout);
  return at;
}

}  // namespace hone::app
