#include "hone/net/pipe_signal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

namespace hone::net {
namespace {

TEST(PipeSignalBlocked, MakesAWriteToAClosedPipeAnError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  {
    const PipeSignalBlocked blocked;
    errno = 0;
    EXPECT_EQ(write(ends[1], "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
  }
  close(ends[1]);  // The test still runs: the signal did not wait for the end of the block.
}

TEST(PipeSignalBlockedDeathTest, LeavesTheSignalAsItWasAfterwards) {
  const auto write_to_nobody = [] {
    int ends[2];
    if (pipe(ends) != 0) return;
    close(ends[0]);
    {
      const PipeSignalBlocked blocked;
    }
    static_cast<void>(!write(ends[1], "x", 1));
  };
  EXPECT_EXIT(write_to_nobody(), testing::KilledBySignal(SIGPIPE), "");
}

}  // namespace
}  // namespace hone::net
