#include "apps/hone/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/hone/run_options.h"
#include "hone/base/text.h"
#include "hone/journal/difference.h"

namespace hone::app {
namespace {

const core::Attempt* find(const core::Run& run, std::size_t index) {
  return index < run.attempts.size() ? &run.attempts[index] : nullptr;
}

std::string verdict(const core::Attempt* attempt) {
  if (attempt == nullptr) return "-";
  const core::Evaluation& evaluation = attempt->evaluation;
  if (!evaluation.score) return std::string(core::to_string(evaluation.outcome));
  return fmt::format("{} {:.2f}", core::to_string(evaluation.outcome), evaluation.score->value());
}

Json verdict_json(const core::Attempt* attempt) {
  if (attempt == nullptr) return nullptr;
  const core::Evaluation& evaluation = attempt->evaluation;
  return {{"outcome", core::to_string(evaluation.outcome)},
          {"score", evaluation.score ? Json(evaluation.score->value()) : Json(nullptr)},
          {"usage", core::to_json(attempt->usage.total())}};
}

bool same_output(const core::Attempt* left, const core::Attempt* right) {
  return left != nullptr && right != nullptr && left->output.text == right->output.text;
}

std::string stop_of(const core::Run& run) {
  return run.stop ? std::string(core::to_string(run.stop->reason)) : "-";
}

Json stop_json(const core::Run& run) {
  return run.stop ? Json(core::to_string(run.stop->reason)) : Json(nullptr);
}

std::string number_or_dash(const std::optional<int>& number) {
  return number ? fmt::format("{}", *number) : "-";
}

Json cost_json(const core::Run& run) {
  Json json = core::to_json(run.usage.total());
  json["calls"] = run.usage.total().calls;
  json["seconds"] = to_seconds(run.finished - run.started);
  return json;
}

std::string money(const core::Run& run) {
  const auto usd = run.usage.total().usd;
  return usd ? fmt::format("{:.4f}", usd->amount) : "-";
}

std::string task_difference(const journal::RecordedRun& left, const journal::RecordedRun& right) {
  std::string text = journal::difference(left.header.task.text, right.header.task.text);
  const auto fork = run_options_in(right.header).fork;
  if (fork && !fork->guidance.empty()) {
    text += fmt::format("{}guidance:\n+ {}", text.empty() ? "" : "\n", fork->guidance);
  }
  return text;
}

std::string row(const std::string& name, const std::string& left, const std::string& right,
                std::string_view note = "") {
  return fmt::format("{:<10}{:>18}{:>18}{}{}\n", name, left, right, note.empty() ? "" : "  ", note);
}

std::string cost_rows(const core::Run& left, const core::Run& right) {
  const core::Usage first = left.usage.total();
  const core::Usage second = right.usage.total();
  return row("calls", fmt::format("{}", first.calls), fmt::format("{}", second.calls)) +
         row("tokens", fmt::format("{}", first.total().count),
             fmt::format("{}", second.total().count)) +
         row("usd", money(left), money(right));
}

}  // namespace

Json compared_json(const journal::RecordedRun& left, const journal::RecordedRun& right) {
  const core::Run first = journal::fold(left);
  const core::Run second = journal::fold(right);
  Json attempts = Json::array();
  for (std::size_t i = 0; i < std::max(first.attempts.size(), second.attempts.size()); ++i) {
    attempts.push_back({{"number", i + 1},
                        {"same_output", same_output(find(first, i), find(second, i))},
                        {"left", verdict_json(find(first, i))},
                        {"right", verdict_json(find(second, i))}});
  }
  const auto selected = [](const core::Run& run) {
    return run.selected ? Json(*run.selected) : Json(nullptr);
  };
  return {{"format", 1},
          {"runs", {{"left", first.id}, {"right", second.id}}},
          {"attempts", attempts},
          {"selected", {{"left", selected(first)}, {"right", selected(second)}}},
          {"stop", {{"left", stop_json(first)}, {"right", stop_json(second)}}},
          {"usage", {{"left", cost_json(first)}, {"right", cost_json(second)}}},
          {"task", task_difference(left, right)}};
}

std::string compared_text(const journal::RecordedRun& left, const journal::RecordedRun& right) {
  const core::Run first = journal::fold(left);
  const core::Run second = journal::fold(right);
  std::string text = row("run", first.id, second.id);
  for (std::size_t i = 0; i < std::max(first.attempts.size(), second.attempts.size()); ++i) {
    const bool same = same_output(find(first, i), find(second, i));
    text += row(fmt::format("attempt {}", i + 1), verdict(find(first, i)), verdict(find(second, i)),
                same ? "the same output" : "");
  }
  text += row("stop", stop_of(first), stop_of(second));
  text += row("returned", number_or_dash(first.selected), number_or_dash(second.selected));
  text += cost_rows(first, second);
  const std::string changed = task_difference(left, right);
  if (!changed.empty()) text += "\nWhat was asked otherwise:\n" + changed + "\n";
  return text;
}

}  // namespace hone::app
