#include "hone/async/within.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace hone {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(Within, WaitsForWorkThatEnds) {
  int done = 0;
  EXPECT_TRUE(ended_within(hours(1), [&done] { done = 7; }));
  EXPECT_EQ(done, 7);
}

TEST(Within, PassesOnWhatTheWorkThrew) {
  EXPECT_THROW(ended_within(hours(1), [] { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST(Within, LeavesWorkBehindThatDoesNotEnd) {
  const auto blocked = std::make_shared<std::promise<void>>();
  const auto ended = std::make_shared<std::promise<void>>();
  const auto work = [blocked, ended] {
    blocked->get_future().wait();
    ended->set_value();
  };
  EXPECT_FALSE(ended_within(milliseconds(1), work));
  blocked->set_value();
  ended->get_future().wait();
}

}  // namespace
}  // namespace hone
