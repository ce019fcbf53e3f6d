#include "hone/model/local_job.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hone/base/text.h"

namespace hone::model {
namespace {

constexpr std::chrono::milliseconds kTick{20};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// How many bytes a character has that begins with this one (RFC 3629); 1 for a byte that begins
// none.
std::size_t length_from(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0xF0 && byte <= 0xF4) return 4;
  if (byte >= 0xE0 && byte <= 0xEF) return 3;
  if (byte >= 0xC2 && byte <= 0xDF) return 2;
  return 1;
}

// The bytes at the end that begin a character without ending it.
std::size_t incomplete_end(std::string_view text) {
  const std::size_t most = std::min<std::size_t>(3, text.size());
  for (std::size_t back = 1; back <= most; ++back) {
    const char byte = text[text.size() - back];
    if (is_continuation(byte)) continue;
    return length_from(byte) > back ? back : 0;
  }
  return 0;
}

}  // namespace

std::string CharacterPieces::add(std::string_view bytes) {
  held_ += bytes;
  const std::size_t whole = held_.size() - incomplete_end(held_);
  const std::string text = to_utf8(std::string_view(held_).substr(0, whole));
  held_.erase(0, whole);
  return text;
}

std::string CharacterPieces::rest() { return to_utf8(std::exchange(held_, {})); }

void LocalJob::push(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  pending_.bytes += bytes;
  news_.set();
}

void LocalJob::finish() {
  const std::lock_guard lock(mutex_);
  pending_.finished = true;
  news_.set();
}

void LocalJob::wake() {
  const std::lock_guard lock(mutex_);
  news_.set();
}

OneShot LocalJob::news() const {
  const std::lock_guard lock(mutex_);
  return news_;
}

LocalJob::News LocalJob::take() {
  const std::lock_guard lock(mutex_);
  if (!pending_.finished) news_ = OneShot();
  return std::exchange(pending_, News{.bytes = {}, .finished = pending_.finished});
}

LocalThread::LocalThread(std::function<void(LocalJob&)> work) : work_(std::move(work)) {}

LocalThread::~LocalThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& job : waiting_) job->cancel();
    if (current_) current_->cancel();
  }
  arrived_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LocalThread::post(std::shared_ptr<LocalJob> job) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  waiting_.push_back(std::move(job));
  arrived_.notify_all();
}

bool LocalThread::withdraw(const std::shared_ptr<LocalJob>& job) {
  const std::lock_guard lock(mutex_);
  return std::erase(waiting_, job) > 0;
}

void LocalThread::tick() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_tick_ < kTick) return;
  last_tick_ = now;
  for (const auto& job : waiting_) job->wake();
  if (current_) current_->wake();
}

std::shared_ptr<LocalJob> LocalThread::next() {
  std::unique_lock lock(mutex_);
  current_.reset();
  arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  return current_;
}

void LocalThread::serve() {
  while (const std::shared_ptr<LocalJob> job = next()) {
    try {
      work_(*job);
    } catch (...) {
      job->failure = std::current_exception();
    }
    job->finish();
  }
}

}  // namespace hone::model
