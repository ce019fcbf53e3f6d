#include "hone/task/write.h"

#include <gtest/gtest.h>

namespace hone::task {
namespace {

constexpr std::string_view kTask = R"(
task: Say {{ input.what }}.
input: {what: "{{ braces }}"}
type: code
system: Be brief.
model: {generate: "scripted:a.yaml", evaluate: "command:judge"}
sampling: {temperature: 0.5, max_tokens: 300, evaluate: {seed: 7}}
check:
  - schema: {type: object, required: [a]}
  - contains: [one, two]
  - equals: {a: 1.5}
  - regex: {must: "a+", must_not: ["b", "c"]}
  - python: {run: return True, memory: 64M, processes: 3}
  - {name: style, command: {run: "true", timeout: 1.5s}}
  - criteria: [a, {name: b, weight: 2, threshold: 0.5, evaluator: regex, pattern: c}]
  - criteria: {criteria: [{name: d, evaluator: command, run: "true"}], rubric: r, threshold: 0.5}
  - compare: {reference: fine}
  - compare: {with: prior, rubric: short}
  - judge:
      rubric: Is it good?
      threshold: 0.7
      always: true
      samples: 3
      sequential: true
      score: stated
      examples: [{output: a, passed: false, reason: b}]
accept: {threshold: 0.9}
revise: {strategy: hybrid, policy: show_best, include_prior_versions: true, max_revision_tokens: 500}
at_once: 4
stop: {attempts: 7, plateau: {attempts: 3, gain: 0.1}, duplicate: false, stable: 1, all: [{oscillation: 2}, {repeated_issues: 4}]}
select: latest
budget: {tokens: 20k, calls: 9, time: 90s}
lessons: {recall: 5, learn: false, agent: me, tenant: us, all_agents: true, order: protocol, least: 0.3, at_once: true, block: true}
reflect: {form: by_outcome, success: true, prompt: Say why.}
escalate: {to: "mail boss", timeout: 5s}
)";

TEST(TaskText, AProfileIsAppliedOnce) {
  for (const std::string profile :
       {"protocol", "loomflow", "paper", "{loomflow: {top_k_lessons: 2}}",
        "{loomflow: {lessons_block_name: mine, max_attempts: 5}}"}) {
    const std::string text = "task: x\nlessons: {order: hybrid}\nprofile: " + profile;
    const TaskFile file = parse_task_file(text, "task.yaml", "/tmp");
    const TaskFile again = from_json_text(to_json_text(file), "/tmp", file.task);
    EXPECT_EQ(again.lessons, file.lessons) << profile;
    EXPECT_EQ(again.reflect, file.reflect) << profile;
    EXPECT_EQ(again.stop, file.stop) << profile;
    EXPECT_EQ(again.revise, file.revise) << profile;
    EXPECT_EQ(again.profile, file.profile) << profile;
    EXPECT_EQ(again.lessons.order, memory::Order::Hybrid) << profile;
  }
}

TEST(TaskText, ReadsBackAsTheSameTask) {
  const TaskFile file = parse_task_file(kTask, "task.yaml", "/tmp");
  const JsonText text = to_json_text(file);
  const TaskFile again = from_json_text(text, "/tmp", file.task);
  EXPECT_EQ(again.task, file.task);
  EXPECT_EQ(again.task.prompt, "Say {{ braces }}.");
  EXPECT_EQ(again.models, file.models);
  EXPECT_EQ(again.sampling, file.sampling);
  EXPECT_EQ(again.stop, file.stop);
  EXPECT_EQ(again.revise, file.revise);
  EXPECT_EQ(again.at_once, 4);
  EXPECT_EQ(again.budget, file.budget);
  EXPECT_EQ(again.lessons,
            (LessonRules{5, false, {"us", "me"}, true, memory::Order::Protocol, 0.3, true, true}));
  EXPECT_EQ(again.reflect, file.reflect);
  EXPECT_EQ(again.reflect.options.instruction, "Say why.");
  EXPECT_EQ(again.escalate, (EscalationRules{"mail boss", std::chrono::seconds(5)}));
  EXPECT_EQ(again.checks.size(), 11u);
  EXPECT_EQ(std::get<CodeCheck>(again.checks.at(4).options).limits.processes, 3U);
  EXPECT_EQ(again.checks.back().always, true);
  EXPECT_EQ(to_json_text(again), to_json_text(again));
  EXPECT_EQ(from_json_text(to_json_text(again), "/tmp", file.task).accept_threshold, 0.9);
  EXPECT_EQ(to_json_text(again).text, text.text);
  const TaskFile alone = from_json_text(text, "/tmp", {});
  EXPECT_EQ(alone.task.prompt, "Say {{ braces }}.");
  EXPECT_EQ(alone.task.system, "Be brief.");
  EXPECT_EQ(alone.task.type, "code");
}

}  // namespace
}  // namespace hone::task
