#include "hone/process/supervise.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/process/child.h"
#include "hone/process/environment.h"
#include "hone/process/private_files.h"

namespace hone::process {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;

// How long the pipes of a process that has ended are waited for: something may still hold them.
constexpr milliseconds kDrainTime{200};
// Where the end of a process cannot be polled for, it is looked for this often.
constexpr milliseconds kLookAgain{10};
constexpr Duration kLongestTimeout = std::chrono::hours(24 * 365);
constexpr std::size_t kBlock = 64 * 1024;
// A pipe holds 64 KiB by default and 1 MiB at most; who writes more after the end is not of the
// group.
constexpr int kBlocksAfterEnd = 16;

// The first bytes of a stream.
class Kept {
 public:
  explicit Kept(std::size_t limit) : limit_(limit) {}

  void add(std::string_view bytes) {
    const std::size_t room = limit_ - text_.size();
    text_ += bytes.substr(0, room);
    truncated_ = truncated_ || bytes.size() > room;
  }
  std::string text() const { return to_utf8(text_); }
  bool is_truncated() const { return truncated_; }

 private:
  std::size_t limit_;
  std::string text_;
  bool truncated_ = false;
};

// Reads one block; closes the stream at its end. False when there is nothing to read now.
bool read_block(Descriptor& stream, Kept& kept) {
  if (!stream.is_open()) return false;
  std::array<char, kBlock> block;
  const ssize_t count = ::read(stream.number(), block.data(), block.size());
  if (count > 0) kept.add({block.data(), static_cast<std::size_t>(count)});
  const bool again = count < 0 && (errno == EAGAIN || errno == EINTR);
  if (count <= 0 && !again) stream.close();
  return count > 0;
}

class Supervision {
 public:
  Supervision(const ProcessOptions& options, const Start& start, const Descriptor& cancelled)
      : options_(options),
        cancelled_(cancelled),
        child_(start),
        input_(options.input),
        output_(options.output_limit),
        errors_(options.output_limit),
        next_(std::chrono::steady_clock::now() + std::min(options.timeout, kLongestTimeout)) {}

  Ended to_end() {
    while (!is_over()) {
      wait();
      feed();
      read_block(child_.output, output_);
      read_block(child_.errors, errors_);
      look_for_end();
      if (std::chrono::steady_clock::now() >= next_) next_step();
    }
    return clean_up();
  }

 private:
  // Runs until its timeout, is asked to end, is killed; has ended while its pipes are still open.
  enum class State { Running, Asked, Killed, Ended };

  bool is_over() const {
    const bool silent = !child_.output.is_open() && !child_.errors.is_open();
    return state_ == State::Ended && (silent || std::chrono::steady_clock::now() >= next_);
  }

  int milliseconds_to_wait() const {
    const auto left = std::chrono::ceil<milliseconds>(next_ - std::chrono::steady_clock::now());
    const milliseconds most = child_.end().is_open() ? milliseconds(60'000) : kLookAgain;
    return static_cast<int>(std::clamp(left, milliseconds(0), most).count());
  }

  void wait() {
    const bool listens = state_ == State::Running;
    const bool lives = state_ != State::Ended;
    std::array<pollfd, 5> polled{
        {{child_.input.number(), POLLOUT, 0},
         {child_.output.number(), POLLIN, 0},
         {child_.errors.number(), POLLIN, 0},
         {lives ? child_.end().number() : -1, POLLIN, 0},  // Negative ones are ignored.
         {listens ? cancelled_.number() : -1, POLLIN, 0}}};
    const int ready = ::poll(polled.data(), polled.size(), milliseconds_to_wait());
    if (ready < 0 && errno != EINTR) fail_with("waiting for a child process", errno);
    if (ready > 0 && polled.back().revents != 0) cancel();
  }

  void feed() {
    if (!child_.input.is_open()) return;
    const ssize_t count = ::write(child_.input.number(), input_.data(), input_.size());
    if (count > 0) input_.remove_prefix(static_cast<std::size_t>(count));
    const bool again = count < 0 && (errno == EAGAIN || errno == EINTR);
    if (input_.empty() || (count < 0 && !again)) child_.input.close();
  }

  void look_for_end() {
    if (state_ == State::Ended || !child_.has_ended()) return;
    child_.input.close();
    enter(State::Ended, kDrainTime);
  }

  void enter(State state, Duration time) {
    state_ = state;
    next_ = std::chrono::steady_clock::now() + time;
  }

  void cancel() {
    was_cancelled_ = true;
    ask_to_end();
  }
  void ask_to_end() {
    child_.signal_group(SIGTERM);
    enter(State::Asked, options_.grace);
  }

  void next_step() {
    if (state_ == State::Running) {
      timed_out_ = true;
      ask_to_end();
    } else if (state_ != State::Ended) {
      child_.signal_group(SIGKILL);
      enter(State::Killed, kDrainTime);
    }
  }

  Ended clean_up() {
    child_.signal_group(SIGKILL);
    for (int i = 0; i < kBlocksAfterEnd && read_block(child_.output, output_); ++i) continue;
    for (int i = 0; i < kBlocksAfterEnd && read_block(child_.errors, errors_); ++i) continue;
    const int status = child_.reap();
    if (was_cancelled_) {
      throw Error(ErrorKind::Cancelled,
                  fmt::format("`{}` was cancelled", one_line(options_.command, 80)));
    }
    Ended ended;
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.timed_out = timed_out_;
    ended.output = output_.text();
    ended.errors = errors_.text();
    ended.truncated = output_.is_truncated() || errors_.is_truncated();
    return ended;
  }

  const ProcessOptions& options_;
  const Descriptor& cancelled_;
  Child child_;
  std::string_view input_;  // What has not been written yet.
  Kept output_;
  Kept errors_;
  State state_ = State::Running;
  SteadyTime next_;  // When the state changes by itself.
  bool timed_out_ = false;
  bool was_cancelled_ = false;
};

}  // namespace

Ended supervise(const ProcessOptions& options, const Descriptor& cancelled) {
  const PrivateFiles files(options.files);
  std::map<std::string, std::string> added = options.environment;
  for (const auto& [name, path] : files.paths()) added.insert_or_assign(name, path);
  const Start start{options.command, options.directory, child_environment(added)};
  return Supervision(options, start, cancelled).to_end();
}

}  // namespace hone::process
