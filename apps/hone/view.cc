#include "apps/hone/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/core/transcript.h"

namespace hone::app {
namespace {

// What is kept of a draft's line: more than any terminal shows.
constexpr std::size_t kLongestLine = 2000;

Colour colour_of(const core::Evaluation& evaluation) {
  switch (evaluation.outcome) {
    case core::Outcome::Passed:
      return Colour::Green;
    case core::Outcome::Failed:
      return Colour::Red;
    case core::Outcome::Unknown:
      return Colour::Yellow;
  }
  return Colour::Plain;
}

}  // namespace

View::View(Terminal terminal, core::EventSink& next)
    : terminal_(terminal),
      next_(next),
      status_line_(terminal, [this](std::size_t columns) { return status(columns); }) {}

Instant View::emit(const std::string& run, const core::Event& event, Instant at) {
  const Instant happened = next_.emit(run, event, at);
  add(event, happened);
  status_line_.print(lines_for(event));
  if (std::holds_alternative<core::Stopped>(event)) status_line_.end();
  return happened;
}

void View::add(const core::Event& event, Instant at) {
  const auto lock = status_line_.changing();
  core::apply(run_, event, at);
  if (const auto* started = std::get_if<core::AttemptStarted>(&event)) {
    attempt_ = started->number;
    drafted_ = 0;
    draft_line_.clear();
  } else if (const auto* draft = std::get_if<core::Draft>(&event)) {
    add_draft(draft->text);
  } else if (std::holds_alternative<core::Retracted>(event)) {
    draft_line_.clear();
  }
}

void View::add_draft(const std::string& text) {
  drafted_ += text.size();
  draft_line_ += text;
  const std::size_t end = draft_line_.find_last_not_of(" \n");
  const std::size_t newline = draft_line_.rfind('\n', end);
  if (end != std::string::npos && newline != std::string::npos) draft_line_.erase(0, newline + 1);
  if (draft_line_.size() > kLongestLine) draft_line_.erase(0, draft_line_.size() - kLongestLine);
}

std::string View::lines_for(const core::Event& event) const {
  if (std::holds_alternative<core::LessonsRecalled>(event))
    return printable(core::recall_line(run_));
  if (std::holds_alternative<core::Evaluated>(event)) {
    const core::Attempt& attempt = run_.attempts.back();
    const std::string verdict = printable(trim(core::evaluation_line(attempt)));
    return printable(core::attempt_line(attempt)) +
           terminal_.paint(verdict, colour_of(attempt.evaluation)) + "\n";
  }
  if (const auto* asked = std::get_if<core::Reevaluated>(&event)) {
    return printable(core::evaluation_line(run_.attempt(asked->attempt)));
  }
  if (const auto* reflected = std::get_if<core::Reflected>(&event)) {
    return printable(core::reflection_line(run_.attempt(reflected->attempt)));
  }
  if (const auto* learned = std::get_if<core::LessonLearned>(&event)) {
    return printable(fmt::format("{:<12}\"{}\"\n", "learn", one_line(learned->lesson.text, 66)));
  }
  if (const auto* warning = std::get_if<core::BudgetWarning>(&event)) {
    return fmt::format("{:<12}{}\n", "budget", warning->detail);
  }
  return std::holds_alternative<core::Stopped>(event) ? printable(core::stop_line(run_))
                                                      : std::string();
}

std::string View::status(std::size_t columns) const {
  const auto elapsed = std::chrono::steady_clock::now() - started_;
  const auto tokens =
      run_.usage.total().output.count + core::estimate_tokens(std::string(drafted_, 'x')).count;
  std::string text = fmt::format("attempt {} · {} · {} tok", std::max(1, attempt_),
                                 show_duration(elapsed), tokens);
  const core::Attempt* best = run_.find_best();
  if (best != nullptr && best->evaluation.score) {
    text += fmt::format(" · best {:.2f}", best->evaluation.score->value());
  }
  const std::size_t taken = columns_of(text) + 3;
  if (draft_line_.empty() || taken + 10 > columns) return text;
  return text + " │ " + fit_end(draft_line_, columns - taken);
}

}  // namespace hone::app
