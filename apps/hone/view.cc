#include "apps/hone/view.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/text.h"
#include "hone/core/transcript.h"

namespace hone::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);

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

View::View(Terminal terminal, core::EventSink& next) : terminal_(terminal), next_(next) {
  if (terminal_.is_terminal) drawing_ = std::thread([this] { keep_drawing(); });
}

View::~View() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    erase_status();
  }
  changed_.notify_all();
  if (drawing_.joinable()) drawing_.join();
}

Instant View::emit(const std::string& run, const core::Event& event, Instant at) {
  const Instant happened = next_.emit(run, event, at);
  const std::lock_guard lock(mutex_);
  core::apply(run_, event, happened);
  show(event);
  return happened;
}

void View::show(const core::Event& event) {
  if (const auto* started = std::get_if<core::AttemptStarted>(&event)) {
    attempt_ = started->number;
    drafted_ = 0;
  } else if (const auto* draft = std::get_if<core::Draft>(&event)) {
    drafted_ += draft->text.size();
  } else if (std::holds_alternative<core::LessonsRecalled>(event)) {
    print(core::recall_line(run_));
  } else if (std::holds_alternative<core::Evaluated>(event)) {
    const core::Attempt& attempt = run_.attempts.back();
    print(core::attempt_line(attempt));
    print(terminal_.paint(trim(core::evaluation_line(attempt)), colour_of(attempt.evaluation)) +
          "\n");
  } else if (const auto* asked = std::get_if<core::Reevaluated>(&event)) {
    print(core::evaluation_line(run_.attempt(asked->attempt)));
  } else if (const auto* reflected = std::get_if<core::Reflected>(&event)) {
    print(core::reflection_line(run_.attempt(reflected->attempt)));
  } else if (const auto* warning = std::get_if<core::BudgetWarning>(&event)) {
    print(fmt::format("{:<12}{}\n", "budget", warning->detail));
  } else if (std::holds_alternative<core::Stopped>(event)) {
    ended_ = true;
    print(core::stop_line(run_));
  }
}

void View::print(std::string_view lines) {
  if (lines.empty()) return;
  erase_status();
  fmt::print(stderr, "{}", lines);
  draw_status();
}

std::string View::status() const {
  const auto elapsed = std::chrono::steady_clock::now() - started_;
  const auto tokens =
      run_.usage.total().output.count + core::estimate_tokens(std::string(drafted_, 'x')).count;
  std::string text = fmt::format("attempt {} · {} · {} tok", std::max(1, attempt_),
                                 show_duration(elapsed), tokens);
  const core::Attempt* best = run_.find_best();
  if (best != nullptr && best->evaluation.score) {
    text += fmt::format(" · best {:.2f}", best->evaluation.score->value());
  }
  return text;
}

void View::draw_status() {
  if (!terminal_.is_terminal || ended_) return;
  const std::string text = one_line(status(), terminal_.columns() - 1);
  fmt::print(stderr, "\r{}\x1b[K", terminal_.paint(text, Colour::Dim));
  drawn_ = true;
}

void View::erase_status() {
  if (std::exchange(drawn_, false)) fmt::print(stderr, "\r\x1b[K");
}

void View::keep_drawing() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    draw_status();
    changed_.wait_for(lock, kRedraw);
  }
}

}  // namespace hone::app
