#include "hone/evaluate/system_runner.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"
#include "hone/core/testing.h"

namespace hone::evaluate {
namespace {

async<void> run_into(core::ProcessResult& result, core::Context context,
                     core::ProcessRequest request) {
  SystemRunner runner;
  result = co_await runner.run(std::move(context), request);
}

core::ProcessResult run(const core::ProcessRequest& request, core::Budget budget = {}) {
  core::TestScene scene(std::move(budget));
  core::ProcessResult result;
  run_sync([&] { return run_into(result, scene.context(), request); });
  return result;
}

TEST(SystemRunner, HandsEverythingOver) {
  core::ProcessRequest request;
  request.command = "cat; cat $HONE_OUTPUT_FILE; echo $WORD >&2; pwd >&2; exit 3";
  request.input = "in ";
  request.files = {{"HONE_OUTPUT_FILE", "file"}};
  request.environment = {{"WORD", "word"}};
  request.directory = "/";
  request.output_limit = 6;
  const core::ProcessResult result = run(request);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.output, "in fil");
  EXPECT_EQ(result.errors, "word\n/");
  EXPECT_TRUE(result.truncated);
  EXPECT_FALSE(result.succeeded());
}

TEST(SystemRunner, ReportsATimeout) {
  core::ProcessRequest request;
  request.command = "sleep 1000";
  request.timeout = std::chrono::milliseconds(50);
  const core::ProcessResult result = run(request);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.succeeded());
}

TEST(SystemRunner, TheEndOfTheRunsTimeIsAFailureNotAResult) {
  core::ProcessRequest request;
  request.command = "sleep 1000";
  core::Budget budget;
  for (const Duration time : {Duration(std::chrono::milliseconds(100)), Duration::zero()}) {
    budget.time = time;
    try {
      run(request, budget);
      ADD_FAILURE() << "ended in time";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::DeadlineExceeded);
    }
  }
}

}  // namespace
}  // namespace hone::evaluate
