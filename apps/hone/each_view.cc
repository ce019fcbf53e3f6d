#include "apps/hone/each_view.h"

#include <fmt/format.h>

#include "apps/hone/exit_code.h"
#include "hone/base/text.h"

namespace hone::app {
namespace {

constexpr std::size_t kBar = 20;  // Columns.

std::string bar(std::size_t done, std::size_t all) {
  const std::size_t full = all == 0 ? kBar : kBar * done / all;
  std::string text;
  for (std::size_t i = 0; i < kBar; ++i) text += i < full ? "█" : "░";
  return text;
}

Terminal shown_on(Terminal terminal, bool quiet) {
  terminal.is_terminal = terminal.is_terminal && !quiet;
  return terminal;
}

}  // namespace

EachView::EachView(Terminal terminal, std::size_t runs, bool quiet)
    : terminal_(terminal),
      runs_(runs),
      quiet_(quiet),
      status_line_(shown_on(terminal, quiet),
                   [this](std::size_t columns) { return status(columns); }) {}

Instant EachView::emit(const std::string&, const core::Event& event, Instant at) {
  const auto lock = status_line_.changing();
  if (std::holds_alternative<core::RunStarted>(event)) ++running_;
  if (const auto* evaluated = std::get_if<core::Evaluated>(&event)) {
    tokens_ += evaluated->attempt.usage.total().total().count;
  }
  return at;
}

void EachView::ended(const core::Run& run, int exit_code) {
  {
    const auto lock = status_line_.changing();
    ++ended_;
    if (running_ > 0) --running_;
    if (exit_code == kDone) ++passed_;
  }
  if (!quiet_ && !terminal_.is_terminal) status_line_.print(line_of(run));
}

void EachView::end() {
  status_line_.end();
  if (quiet_) return;
  const auto elapsed = std::chrono::steady_clock::now() - started_;
  status_line_.print(fmt::format("{:<12}{} of {} passed  {} tok  {}\n", "each", passed_, runs_,
                                 tokens_, show_duration(elapsed)));
}

std::string EachView::status(std::size_t) const {
  const auto elapsed = std::chrono::steady_clock::now() - started_;
  return fmt::format("{} {}/{} · {} passed · {} running · {} tok · {}", bar(ended_, runs_), ended_,
                     runs_, passed_, running_, tokens_, show_duration(elapsed));
}

std::string EachView::line_of(const core::Run& run) const {
  const std::string stop =
      run.stop ? std::string(core::to_string(run.stop->reason)) : "interrupted";
  const core::Attempt* selected = run.find_selected();
  std::string score = "-";
  if (selected != nullptr && selected->evaluation.score) {
    score = fmt::format("{:.2f}", selected->evaluation.score->value());
  }
  return fmt::format("{:<12}{}  {:<12}  {}\n", fmt::format("{}/{}", ended_, runs_), run.id, stop,
                     score);
}

}  // namespace hone::app
