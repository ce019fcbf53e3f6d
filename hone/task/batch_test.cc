#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hone/base/error.h"
#include "hone/task/task_file.h"

namespace hone::task {
namespace {

std::vector<InputRow> rows(std::initializer_list<std::string> values) {
  std::vector<InputRow> all;
  for (const std::string& value : values) {
    all.push_back({{value}, "rows.jsonl:" + std::to_string(all.size() + 1)});
  }
  return all;
}

TEST(Batch, RendersThePromptForEveryRow) {
  const auto batch =
      batch_of_prompt("Name {{ input.what }}.", rows({R"({"what":"a tree"})", R"({"what":"x"})"}));
  ASSERT_EQ(batch.tasks.size(), 2u);
  EXPECT_EQ(batch.tasks[0].prompt, "Name a tree.");
  EXPECT_EQ(batch.tasks[1].prompt, "Name x.");
  EXPECT_EQ(batch.tasks[1].input, JsonText{R"({"what":"x"})"});
  EXPECT_EQ(batch.tasks[1].name, "Name {{ input.what }}.");
}

TEST(Batch, NamesTheRowThatDoesNotFitTheTemplate) {
  try {
    batch_of_prompt("Name {{ input.what }}.", rows({R"({"what":"a"})", R"({"that":"b"})"}));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_TRUE(error.message().starts_with("rows.jsonl:2: ")) << error.message();
  }
}

TEST(Batch, RowsTakeThePlaceOfTheFilesInputAndNameNoFiles) {
  const auto path = std::filesystem::path(testing::TempDir()) / "batch_test.yaml";
  std::ofstream(path) << "task: 'Say {{ input.a }}.'\ninput: {a: own}\nstop: {attempts: 5}\n";
  const auto batch = load_task_batch(path, rows({R"({"a":"file://secret.txt"})"}));
  EXPECT_EQ(batch.tasks[0].prompt, "Say file://secret.txt.");
  EXPECT_EQ(batch.tasks[0].name, "batch_test");
  EXPECT_EQ(batch.file.stop.attempts, 5);
  EXPECT_TRUE(batch.file.says("stop.attempts"));
  EXPECT_FALSE(batch.file.says("stop.plateau"));
}

TEST(Batch, OfNoRowsHasNoTasks) { EXPECT_TRUE(batch_of_prompt("Say it.", {}).tasks.empty()); }

}  // namespace
}  // namespace hone::task
