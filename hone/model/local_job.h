// The thread on which a local model thinks, and the requests that wait for it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "hone/async/one_shot.h"
#include "hone/model/local_engine.h"

namespace hone::model {

// Text that arrives in pieces which may split a character. Threads: one.
class CharacterPieces {
 public:
  // The characters that are whole by now; an incomplete one at the end waits for the next piece.
  std::string add(std::string_view bytes);
  // What was left, with U+FFFD for a character that never became whole.
  std::string rest();

 private:
  std::string held_;
};

// One request on its way through the engine's thread. Threads: as each function says.
class LocalJob {
 public:
  explicit LocalJob(EngineRequest asked) : request(std::move(asked)) {}

  EngineRequest request;
  EngineReply reply;           // Valid when finished.
  int context = 0;             // The same: tokens that the model's context holds.
  std::exception_ptr failure;  // The same: what kept the engine from being asked at all.

  // Engine's thread.
  void push(std::string_view bytes);
  void finish();
  // Any thread. wake() lets the waiting side look at its deadline and its cancellation.
  void wake();
  void cancel() { cancelled_ = true; }
  bool is_cancelled() const { return cancelled_; }

  // Loop's thread.
  OneShot news() const;  // Set when something happened since the last take().
  struct News {
    std::string bytes;
    bool finished = false;
  };
  News take();

 private:
  mutable std::mutex mutex_;
  OneShot news_;
  News pending_;
  std::atomic<bool> cancelled_ = false;
};

// Works on one job at a time, in order of arrival. The destructor cancels all of them and waits.
class LocalThread {
 public:
  // `work` runs on the thread; it calls tick() often and sets the job's reply.
  explicit LocalThread(std::function<void(LocalJob&)> work);
  ~LocalThread();
  LocalThread(const LocalThread&) = delete;
  LocalThread& operator=(const LocalThread&) = delete;

  // Any thread. The thread itself starts with the first job.
  void post(std::shared_ptr<LocalJob> job);
  // Takes a job back that has not begun; false if it has.
  bool withdraw(const std::shared_ptr<LocalJob>& job);
  // Wakes all who wait, at most fifty times a second.
  void tick();

 private:
  void serve();
  std::shared_ptr<LocalJob> next();

  std::function<void(LocalJob&)> work_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<LocalJob>> waiting_;
  std::shared_ptr<LocalJob> current_;
  std::chrono::steady_clock::time_point last_tick_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace hone::model
