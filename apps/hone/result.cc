#include "apps/hone/result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hone::app {

void print_output(const core::Run& run) {
  const core::Attempt* selected = run.find_selected();
  if (selected == nullptr) return;
  const std::string& text = selected->output.text;
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
}

std::string result_text(const core::Run& run, const core::ModelNames& models) {
  Json json = core::to_json(run, models);
  if (run.stop && run.stop->reason == core::StopReason::Error) {
    json["error"] = {
        {"kind", run.stop->kind}, {"message", run.stop->detail}, {"hint", run.stop->hint}};
  }
  return dump(json);
}

void print_json(const core::Run& run, const core::ModelNames& models) {
  fmt::print("{}\n", result_text(run, models));
}

}  // namespace hone::app
