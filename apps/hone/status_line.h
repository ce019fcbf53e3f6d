// One line on stderr that lives below what is printed: drawn again five times a second, right at
// any width and after the window was resized.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "apps/hone/terminal.h"

namespace hone::app {

// Where stderr is no terminal that can move its cursor, there is no line and print() is all.
//
// Threads: print() and end() from one thread. The line is made by a thread of its own: `text` is
// called under the lock that changing() gives, and its result is cut to the columns it is told.
class StatusLine {
 public:
  StatusLine(Terminal terminal, std::function<std::string(std::size_t columns)> text);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Held while something that `text` reads is changed.
  std::unique_lock<std::mutex> changing() { return std::unique_lock(mutex_); }
  // The same, with the line gone until it is drawn again: for output on another stream that may
  // be the same terminal.
  std::unique_lock<std::mutex> cleared();
  // Whole lines, above the living one.
  void print(std::string_view lines);
  // The line goes away for good.
  void end();

 private:
  void draw();
  void erase();
  void keep_drawing();

  const Terminal terminal_;
  const std::function<std::string(std::size_t)> text_;
  std::size_t drawn_ = 0;  // Columns of the line that stands there; 0 for none.
  bool ended_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread drawing_;
};

}  // namespace hone::app
