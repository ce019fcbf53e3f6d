#include "apps/hone/stream.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "hone/core/json_form.h"

namespace hone::app {

Stream::Stream(const task::TaskFile& file) {
  if (file.profile == "loomflow") loomflow_.emplace(file);
}

Instant Stream::emit(const std::string& run, const core::Event& event, Instant at) {
  fmt::print("{}\n", dump(core::stream_json(event, run, at, ++sequence_)));
  if (loomflow_) {
    for (const task::LoomflowEvent& told : loomflow_->told_of(event)) {
      Json json = {
          {"event", told.name}, {"run", run}, {"at", to_iso8601(at)}, {"sequence", ++sequence_}};
      json.update(parse_json(told.fields.text));
      fmt::print("{}\n", dump(json));
    }
  }
  std::fflush(stdout);
  return at;
}

}  // namespace hone::app
