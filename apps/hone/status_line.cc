#include "apps/hone/status_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace hone::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);

}  // namespace

StatusLine::StatusLine(Terminal terminal, std::function<std::string(std::size_t)> text)
    : terminal_(terminal), text_(std::move(text)) {
  if (terminal_.is_terminal) drawing_ = std::thread([this] { keep_drawing(); });
}

StatusLine::~StatusLine() {
  end();
  if (drawing_.joinable()) drawing_.join();
}

std::unique_lock<std::mutex> StatusLine::cleared() {
  std::unique_lock lock(mutex_);
  erase();
  return lock;
}

void StatusLine::print(std::string_view lines) {
  if (lines.empty()) return;
  const std::lock_guard lock(mutex_);
  erase();
  fmt::print(stderr, "{}", lines);
  draw();
}

void StatusLine::end() {
  const std::lock_guard lock(mutex_);
  erase();
  ended_ = true;
  changed_.notify_all();
}

void StatusLine::draw() {
  if (!terminal_.is_terminal || ended_) return;
  // A line that fills the last column makes some terminals begin the next one.
  const std::size_t columns = std::max<std::size_t>(terminal_.columns(), 2) - 1;
  const std::string text = fit(text_(columns), columns);
  if (drawn_ > columns) erase();
  fmt::print(stderr, "\r{}\x1b[K", terminal_.paint(text, Colour::Dim));
  drawn_ = columns_of(text);
}

// A window that became narrower has broken the line into several rows.
void StatusLine::erase() {
  const std::size_t drawn = std::exchange(drawn_, 0);
  if (drawn == 0) return;
  const std::size_t columns = std::max<std::size_t>(terminal_.columns(), 1);
  const std::size_t rows_above = (drawn - 1) / columns;
  if (rows_above > 0) fmt::print(stderr, "\x1b[{}A", rows_above);
  fmt::print(stderr, "\r\x1b[{}", rows_above > 0 ? 'J' : 'K');
}

void StatusLine::keep_drawing() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    draw();
    changed_.wait_for(lock, kRedraw);
  }
}

}  // namespace hone::app
