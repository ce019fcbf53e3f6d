#include "hone/task/task_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "hone/base/error.h"
#include "hone/task/testing.h"

namespace hone::task {
namespace {

using core::Role;

TEST(TaskFile, WithATaskAloneHasTheDefaults) {
  const TaskFile file = parsed("task: Write.\n");
  EXPECT_EQ(file.task.prompt, "Write.");
  EXPECT_EQ(file.task.name, "t");
  EXPECT_EQ(file.task.type, "general");
  EXPECT_EQ(file.task.system, "");
  EXPECT_EQ(file.task.input, std::nullopt);
  EXPECT_TRUE(file.models.empty());
  EXPECT_TRUE(file.sampling.empty());
  EXPECT_TRUE(file.checks.empty());
  EXPECT_EQ(file.accept_threshold, 0.8);
  EXPECT_EQ(file.revise.strategy, reflect::Strategy::Regenerate);
  EXPECT_EQ(file.stop, core::StopRules());
  EXPECT_EQ(file.stop.attempts, 3);
  EXPECT_EQ(file.stop.when.plateau, (core::PlateauRule{2, 0.05}));
  EXPECT_EQ(file.stop.when.duplicate, 2);
  EXPECT_EQ(file.select, core::Selection::HighestScore);
  EXPECT_EQ(file.budget, core::Budget());
}

TEST(TaskFile, TheProfileOfThePaperSetsWhatTheFileDoesNotSay) {
  const TaskFile paper = parsed("task: x\nprofile: paper\n");
  EXPECT_EQ(paper.stop.attempts, 5);
  EXPECT_EQ(paper.stop.when, core::StopWhen());
  EXPECT_EQ(paper.select, core::Selection::Latest);
  EXPECT_EQ(paper.revise.strategy, reflect::Strategy::FullRewrite);
  EXPECT_EQ(paper.revise.include_reflection_history, 1);
  EXPECT_EQ(paper.sampling.at(Role::Generate).temperature, 0);
  const TaskFile own = parsed(
      "task: x\nprofile: paper\nselect: first\nstop: {attempts: 2}\nsampling: {temperature: 1}\n");
  EXPECT_EQ(own.stop.attempts, 2);
  EXPECT_EQ(own.select, core::Selection::First);
  EXPECT_EQ(own.sampling.at(Role::Generate).temperature, 1);
}

TEST(TaskFile, ChecksOfCodeKnowWhereTheirLinesStand) {
  const TaskFile file = parsed(
      "task: x\ncheck:\n  - python: |\n\n      return True\n  - lua: {run: 'return true', timeout: "
      "1s,\n      memory: 64M, trusted: true, processes: 8}\n  - prolog: >\n      valid.\n");
  const auto code = [&](int index) {
    return std::get<CodeCheck>(file.checks.at(static_cast<std::size_t>(index)).options);
  };
  EXPECT_EQ(code(0).place, (evaluate::CodePlace{"t.yaml", 4, 7}));
  EXPECT_EQ(code(0).code, "\nreturn True\n");
  EXPECT_EQ(code(1).place, (evaluate::CodePlace{"t.yaml", 6, 17}));
  EXPECT_EQ(code(1).limits.memory, 64ULL << 20);
  EXPECT_EQ(code(1).limits.processes, 8U);
  EXPECT_EQ(code(0).limits.processes, 0U);
  EXPECT_TRUE(code(1).trusted);
  EXPECT_EQ(code(2).place.line, 9);
}

TEST(TaskFile, RendersTaskAndSystemOverTheInput) {
  const TaskFile file = parsed(
      "task: |\n  Sum {{ input.numbers | join(', ') }}.\n"
      "system: Answer in {{ input.language }}.\n"
      "input: {numbers: [1, 2], language: German}\ntype: reasoning\n");
  EXPECT_EQ(file.task.prompt, "Sum 1, 2.");
  EXPECT_EQ(file.task.system, "Answer in German.");
  EXPECT_EQ(file.task.type, "reasoning");
  EXPECT_EQ(file.task.input, JsonText{R"({"numbers":[1,2],"language":"German"})"});
}

TEST(TaskFile, ModelsAndSamplingGoByRole) {
  const TaskFile one = parsed(
      "task: x\nmodel: openai:gpt-4.1\nsampling: {temperature: 0.7, max_tokens: 2k, top_p: 1}\n");
  EXPECT_EQ(one.models, (std::map<Role, std::string>{{Role::Generate, "openai:gpt-4.1"}}));
  const core::Sampling common{.temperature = 0.7, .top_p = 1.0, .max_tokens = Tokens{2000}};
  EXPECT_EQ(one.sampling,
            (std::map<Role, core::Sampling>{{Role::Generate, common}, {Role::Revise, common}}));
  const TaskFile many = parsed(
      "task: x\nmodel: {generate: local, evaluate: 'http://h/v1#m'}\n"
      "sampling: {temperature: 0.7, revise: {temperature: 1}, evaluate: {seed: 7}}\n");
  EXPECT_EQ(many.models, (std::map<Role, std::string>{{Role::Generate, "local"},
                                                      {Role::Evaluate, "http://h/v1#m"}}));
  EXPECT_EQ(many.sampling.at(Role::Generate).temperature, 0.7);
  EXPECT_EQ(many.sampling.at(Role::Revise).temperature, 1.0);
  EXPECT_EQ(many.sampling.at(Role::Evaluate), core::Sampling{.seed = 7});
  EXPECT_FALSE(many.sampling.contains(Role::Reflect));
}

TEST(TaskFile, ReadsEveryKindOfCheckInOrder) {
  const TaskFile file = parsed(
      "task: x\n"
      "check:\n"
      "  - schema: {type: object, required: [title]}\n"
      "  - contains: total\n"
      "  - contains: [a, b]\n"
      "    name: letters\n"
      "  - equals: {a: 1, b: [true, null]}\n"
      "  - regex: '^a'\n"
      "  - regex: {must: [x, y], must_not: z}\n"
      "  - command: {run: python3 check.py, timeout: 250ms}\n"
      "  - command: ./check\n"
      "  - judge: {rubric: Is it kind?, threshold: 0.6, samples: 1, always: true}\n"
      "  - judge: Is it short?\n"
      "  - judge:\n");
  ASSERT_EQ(file.checks.size(), 11u);
  EXPECT_EQ(check<SchemaCheck>(file, 0).schema.text, R"({"type":"object","required":["title"]})");
  EXPECT_EQ(check<ContainsCheck>(file, 1).texts, std::vector<std::string>{"total"});
  EXPECT_EQ(check<ContainsCheck>(file, 2).texts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(check<EqualsCheck>(file, 3).value.text, R"({"a":1,"b":[true,null]})");
  EXPECT_EQ(check<RegexCheck>(file, 4).must, std::vector<std::string>{"^a"});
  EXPECT_EQ(check<RegexCheck>(file, 5).must, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(check<RegexCheck>(file, 5).must_not, std::vector<std::string>{"z"});
  EXPECT_EQ(check<CommandCheck>(file, 6).run, "python3 check.py");
  EXPECT_EQ(check<CommandCheck>(file, 6).timeout, std::chrono::milliseconds(250));
  EXPECT_EQ(check<CommandCheck>(file, 7).run, "./check");
  EXPECT_EQ(check<JudgeCheck>(file, 8).rubric, "Is it kind?");
  EXPECT_EQ(check<JudgeCheck>(file, 8).threshold, 0.6);
  EXPECT_EQ(check<JudgeCheck>(file, 9).rubric, "Is it short?");
  EXPECT_EQ(check<JudgeCheck>(file, 10).threshold, std::nullopt);
  std::string names;
  for (const Check& one : file.checks) names += one.name + (one.always ? "! " : " ");
  EXPECT_EQ(names,
            "schema contains letters equals regex regex command command judge! judge judge ");
}

TEST(TaskFile, ReadsLimits) {
  const TaskFile file = parsed(
      "task: x\naccept: {threshold: 1}\nrevise: full_rewrite\nselect: first_satisfactory\n"
      "stop: {attempts: 5, plateau: {gain: 0.1}, duplicate: 1, stable: false}\n"
      "budget: {tokens: 20k, usd: 0.05, calls: 9, time: 90s}\n"
      "lessons: {recall: 3, learn: true, agent: default, tenant: default}\nprofile: default\n");
  EXPECT_EQ(file.accept_threshold, 1.0);
  EXPECT_EQ(file.revise.strategy, reflect::Strategy::FullRewrite);
  EXPECT_EQ(file.select, core::Selection::FirstSatisfactory);
  EXPECT_EQ(file.stop,
            (core::StopRules{5, {.duplicate = 1, .plateau = core::PlateauRule{2, 0.1}}}));
  const core::Budget budget{Tokens{20'000}, Usd{0.05}, 9, std::chrono::seconds(90)};
  EXPECT_EQ(file.budget, budget);
}

TEST(TaskFile, StopRulesTakeANumberAMappingOrTrue) {
  const core::StopWhen when =
      parsed(
          "task: x\nstop: {oscillation: 4, diminishing: true, stable: {similarity: 0.8}, "
          "repeated_issues: true, plateau: false, duplicate: false}\n")
          .stop.when;
  EXPECT_EQ(when, (core::StopWhen{.oscillation = core::OscillationRule{4, 0.05},
                                  .diminishing = core::DiminishingRule{},
                                  .stable = core::StableRule{2, 0.8},
                                  .repeated_issues = 2}));
}

TEST(TaskFile, StopRulesCombine) {
  const core::StopWhen when =
      parsed(
          "task: x\nstop: {plateau: ~, duplicate: ~, all: [{stable: 1}, {any: [{plateau: 3}]}]}\n")
          .stop.when;
  const core::StopWhen plateau{.plateau = core::PlateauRule{3, 0.05}};
  const core::StopWhen stable{.stable = core::StableRule{1, 0.9}};
  EXPECT_EQ(when, (core::StopWhen{.all = {stable, {.any = {plateau}}}}));
}

TEST(TaskFile, NullAndFalseSwitchStopRulesOff) {
  for (const std::string off : {"null", "false", "~", ""}) {
    const TaskFile file = parsed("task: x\nstop:\n  plateau: " + off + "\n  duplicate: " + off +
                                 "\n  oscillation: " + off + "\n");
    EXPECT_EQ(file.stop.when.plateau, std::nullopt) << off;
    EXPECT_EQ(file.stop.when.duplicate, std::nullopt) << off;
  }
  EXPECT_EQ(parsed("task: x\nstop: {plateau: 4}\n").stop.when.plateau,
            (core::PlateauRule{4, 0.05}));
}

TEST(TaskFile, KeysWithoutAValueAreAsIfAbsent) {
  const TaskFile file = parsed(
      "task: x\ninput:\ntype:\nsystem:\nmodel:\nsampling:\ncheck:\naccept:\nrevise:\nstop:\n"
      "select:\nbudget: {tokens: }\nlessons:\nprofile:\n");
  EXPECT_TRUE(file.checks.empty());
  EXPECT_EQ(file.stop, core::StopRules());
  EXPECT_EQ(file.budget, core::Budget());
}

TEST(TaskFile, LessonsMayBeSwitchedOff) {
  for (const std::string lessons :
       {"{}", "false", "{recall: 0, learn: false}", "{recall: 3}", "{learn: true}"}) {
    EXPECT_NO_THROW(parsed("task: x\nlessons: " + lessons + "\n")) << lessons;
  }
  EXPECT_FALSE(parsed("task: x\nlessons: false\n").lessons.are_used());
  EXPECT_EQ(parsed("task: x\n").lessons, LessonRules());
}

TEST(TaskFile, LessonsHaveAnOwnerAndANumber) {
  EXPECT_EQ(parsed("task: x\nlessons: {recall: 7, learn: false, agent: me, tenant: us}\n").lessons,
            (LessonRules{7, false, {"us", "me"}}));
}

class TaskFolder : public testing::Test {
 protected:
  TaskFolder()
      : folder_(std::filesystem::temp_directory_path() /
                ("hone_task_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "deep");
  }
  ~TaskFolder() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  TaskFile load(std::string_view text) const {
    write("task.yaml", text);
    return load_task_file(folder_ / "task.yaml");
  }
  std::string failure(std::string_view text) const {
    try {
      load(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
      return error.message();
    }
    return "it was accepted";
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(TaskFolder, FilesStandForTheirContent) {
  write("deep/memo.txt", "Sales rose.\n");
  write("data.yaml", "a: [1, 'file://not_read']\n");
  write("schema.json", R"({"type": "object"})");
  write("task.md", "Sum {{ input.x.memo }}");
  const TaskFile file = load(
      "task: file://task.md\ninput: {x: {memo: file://deep/memo.txt}}\nsystem: file://task.md\n"
      "check:\n- schema: file://schema.json\n- schema: {$ref: 'file://schema.json'}\n"
      "- judge: file://deep/memo.txt\n- judge: {rubric: 'file://deep/memo.txt'}\n"
      "- equals: file://data.yaml\n- equals: file://deep/memo.txt\n");
  EXPECT_EQ(file.task.prompt, "Sum Sales rose.\n");
  EXPECT_EQ(file.task.system, "Sum Sales rose.\n");
  EXPECT_EQ(file.task.name, "task");
  EXPECT_EQ(file.folder, folder_);
  EXPECT_EQ(check<SchemaCheck>(file, 0).schema.text, R"({"type":"object"})");
  EXPECT_EQ(check<SchemaCheck>(file, 1).schema.text, R"({"type":"object"})");
  EXPECT_EQ(check<JudgeCheck>(file, 2).rubric, "Sales rose.\n");
  EXPECT_EQ(check<JudgeCheck>(file, 3).rubric, "Sales rose.\n");
  EXPECT_EQ(check<EqualsCheck>(file, 4).value.text, R"({"a":[1,"file://not_read"]})");
  EXPECT_EQ(check<EqualsCheck>(file, 5).value.text, R"("Sales rose.\n")");
  EXPECT_EQ(load("task: '{{ input.a[0] }}'\ninput: file://data.yaml\n").task.prompt, "1");
}

TEST_F(TaskFolder, FilesThatCannotStandThereAreNamedWhereTheyAreAskedFor) {
  write("binary.txt", "\xFF\xFE");
  write("broken.json", "{\"a\": }}");
  write("wrong.json", R"({"type": "objct"})");
  const std::string task = path("task.yaml");
  EXPECT_EQ(failure("task: x\ninput: {a: [file://gone.txt]}\n"),
            task + ":2:13: `" + path("gone.txt") + "` cannot be read: No such file or directory");
  EXPECT_EQ(failure("task: x\ninput: file://deep\n"),
            task + ":2:8: `" + path("deep") + "` cannot be read: Is a directory");
  EXPECT_EQ(failure("task: x\ninput: {a: file://}\n"), task + ":2:12: `file://` names no file");
  EXPECT_EQ(failure("task: x\ninput: {a: file://binary.txt}\n"),
            task + ":2:12: `" + path("binary.txt") + "` is not UTF-8 text");
  EXPECT_EQ(failure("task: x\ninput: file://broken.json\n"),
            path("broken.json") + ":1:8: this bracket closes nothing");
  EXPECT_TRUE(
      failure("task: x\ncheck: [{schema: file://wrong.json}]\n").starts_with(task + ":2:18: "));
}

TEST_F(TaskFolder, FilesAreBoundedTogether) {
  write("big.txt", std::string(20 * 1024 * 1024, 'x'));
  const std::string once = "task: x\ninput: {a: file://big.txt}\n";
  EXPECT_NO_THROW(load(once));
  EXPECT_EQ(failure("task: x\ninput: {a: file://big.txt, b: file://big.txt}\n"),
            path("task.yaml") + ":2:31: `" + path("big.txt") + "` is longer than 12582912 bytes");
}

TEST_F(TaskFolder, TaskFileThatIsNotThereIsNamed) {
  try {
    load_task_file(folder_ / "none.yaml");
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "reading the task file: `" + path("none.yaml") +
                                   "` cannot be read: No such file or directory");
  }
}

TEST(TaskFile, ExampleLoads) {
  const std::filesystem::path example = "examples/order/task.yaml";
  if (!std::filesystem::exists(example)) GTEST_SKIP() << "run it in the root of the sources";
  EXPECT_EQ(load_task_file(example).checks.size(), 2u);
}

TEST(Prompt, StaysAsItWasTyped) {
  const TaskFile file = task_of_prompt("Explain {{ braces }}\nin Jinja.");
  EXPECT_EQ(file.task.prompt, "Explain {{ braces }}\nin Jinja.");
  EXPECT_EQ(file.task.name, "Explain {{ braces }} in Jinja.");
  EXPECT_TRUE(file.folder.empty());
}

}  // namespace
}  // namespace hone::task
