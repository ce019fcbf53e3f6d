#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "hone/async/cancel.h"
#include "hone/async/clock.h"
#include "hone/async/group.h"
#include "hone/async/one_shot.h"
#include "hone/async/run_sync.h"
#include "hone/async/worker_pool.h"
#include "hone/base/error.h"

namespace hone {
namespace {

using namespace std::chrono_literals;

async<void> sleep_long(Clock& clock) { co_await clock.sleep_until(clock.now() + 1h); }

async<void> fail() {
  throw std::runtime_error("broken");
  co_return;
}

TEST(EventLoop, RethrowsWhatTheWorkThrows) { EXPECT_THROW(run_sync(fail), std::runtime_error); }

TEST(EventLoop, CancelEndsAWaitAndTellsSo) {
  EventLoop loop;
  SystemClock clock;
  std::thread other([&] { loop.cancel(); });
  try {
    loop.run([&] { return sleep_long(clock); });
    ADD_FAILURE() << "the wait ended by itself";
  } catch (...) {
    EXPECT_EQ(to_error(std::current_exception()).kind(), ErrorKind::Cancelled);
  }
  other.join();
}

async<void> clean_up_after_cancel(Clock& clock, bool* cleaned) {
  const std::exception_ptr failure = co_await caught(sleep_long(clock));
  EXPECT_TRUE(failure);
  co_await shielded_from_cancellation();
  co_await clock.sleep_until(clock.now() + 1ms);
  *cleaned = true;
}

TEST(EventLoop, ShieldedWorkRunsAfterACancel) {
  EventLoop loop;
  SystemClock clock;
  bool cleaned = false;
  std::thread other([&] { loop.cancel(); });
  loop.run([&] { return clean_up_after_cancel(clock, &cleaned); });
  other.join();
  EXPECT_TRUE(cleaned);
}

async<void> wait_for(OneShot event, int* order) {
  co_await event.wait();
  ++*order;
}

async<void> add_on_worker(WorkerPool& pool, int* sum) {
  const auto add = [sum] { *sum += 41; };
  co_await pool.run(add);
  ++*sum;
  const auto broken = [] { throw std::runtime_error("broken"); };
  const std::exception_ptr failure = co_await caught(pool.run(broken));
  EXPECT_TRUE(failure);
}

TEST(WorkerPool, BringsResultsAndFailuresBack) {
  WorkerPool pool(2);
  int sum = 0;
  run_sync([&] { return add_on_worker(pool, &sum); });
  EXPECT_EQ(sum, 42);
}

TEST(OneShot, IsSetFromAnotherThread) {
  const OneShot event;
  int order = 0;
  std::thread other([event] { event.set(); });
  run_sync([&] { return wait_for(event, &order); });
  other.join();
  EXPECT_EQ(order, 1);
}

async<void> count_up(Clock& clock, int* count) {
  co_await clock.sleep_until(clock.now() + 1ms);
  ++*count;
}

TEST(Group, WaitsForAllItsWork) {
  SystemClock clock;
  int count = 0;
  const auto start = [&](std::size_t) { return count_up(clock, &count); };
  run_sync([&] { return for_each_index(20, 3, start); });
  EXPECT_EQ(count, 20);
}

async<void> fail_first(Clock& clock, std::size_t index, int* ended) {
  if (index == 0) throw std::runtime_error("broken");
  const std::exception_ptr failure = co_await caught(sleep_long(clock));
  ++*ended;
  std::rethrow_exception(failure);
}

TEST(Group, AFailureCancelsTheOthersAndJoinsThem) {
  SystemClock clock;
  int ended = 0;
  const auto start = [&](std::size_t index) { return fail_first(clock, index, &ended); };
  EXPECT_THROW(run_sync([&] { return for_each_index(4, 4, start); }), std::runtime_error);
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace hone
