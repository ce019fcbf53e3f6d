// The schema says the same about a task file as the reader does.
#include "hone/task/schema_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/schema/schema.h"
#include "hone/task/testing.h"
#include "hone/yaml/parse.h"

namespace hone::task {
namespace {

bool is_read(const std::string& text) {
  try {
    parsed(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

schema::Result checked(const std::string& text) {
  static const schema::Schema schema(task_schema());
  return schema.check(dump(yaml::to_json(yaml::parse(text, "t.yaml").root)));
}

TEST(TaskSchema, AcceptsWhatTheReaderAccepts) {
  const std::string rests[] = {
      "",
      "input: {a: 1}\ntype: code\nsystem: Be brief.",
      "input:\ntype:\nsystem:\nmodel:\nsampling:\ncheck:\naccept:\nrevise:\nstop:\nselect:\n"
      "budget:\nlessons:\nprofile:",
      "profile: paper\nselect: first_unless_corrected\ncheck:\n  - python: return True\n"
      "  - lua: {run: return true, timeout: 1s, cpu: 2s, memory: 64M, output: 1000, threshold: "
      "0.5,\n"
      "      trusted: true}\n  - prolog: valid.\n  - tests: [assert f()]\n"
      "  - tests: {run: [a], command: 'sh {file}', language: sh, hidden: true, setup: x,\n"
      "      timeout: 1s, threshold: 0.5, shared: false}\n"
      "  - tests: {run: [a], processes: 4}\n  - python: {run: return True, processes: 0}",
      "model: local",
      "model: local:qwen",
      "model: openai:gpt-4.1",
      "model: http://localhost:8000/v1#m",
      "model: {generate: 'command:cat -n', evaluate: 'scripted:a.yaml', reflect: ~}",
      "sampling: {temperature: 0.7, top_p: 0.9, max_tokens: 2048, seed: 1}",
      "sampling: {max_tokens: 2k, evaluate: {temperature: 0}, reflect: {}}",
      "check: []",
      "check: [{schema: {type: object}}, {schema: true}, {contains: a}, {contains: [a, b]}]",
      "check: [{equals: a}, {equals: ~}, {equals: [1]}, {regex: a}, {regex: {must_not: [b]}}]",
      "check: [{regex: {must: a, must_not: b}}, {command: ./x}, {command: {run: x, timeout: 5}}]",
      "check: [{command: {run: x, timeout: 1.5m}}, {judge: ~}, {judge: Kind?, name: kind}]",
      "check: [{judge: {rubric: a, threshold: 0.5, samples: 1, always: true}}, {judge: {}}]",
      "accept: {threshold: 0}",
      "revise: full_rewrite",
      "stop: {attempts: 5, plateau: ~, duplicate: false, stable: false}",
      "stop: {plateau: {attempts: 1, gain: 0}, duplicate: 1}",
      "check: [{judge: {samples: 5, sequential: true, score: stated, examples: [{output: a, score: "
      "1}]}}]",
      "check: [{criteria: [a, {name: b, weight: 2, threshold: 0.5, evaluator: regex, pattern: "
      "c}]}]",
      "check: [{criteria: {criteria: [{name: a, evaluator: command, run: 'true'}], threshold: "
      "0.5}}]",
      "check: [{compare: {reference: a}}, {compare: {with: prior, rubric: b}}, {criteria: }]",
      "revise: hybrid",
      "model: anthropic:claude",
      "revise: {strategy: incremental, policy: fresh, include_prior_versions: 2, "
      "max_revision_tokens: 1k}",
      "stop: {oscillation: true, diminishing: 2, stable: {similarity: 0.8}, repeated_issues: 3}",
      "stop: {plateau: false, all: [{stable: 2}, {any: [{plateau: true}, {duplicate: 1}]}]}",
      "stop: {plateau: 3}",
      "select: weighted_recency",
      "budget: {tokens: 20k, usd: 0.05, calls: 3, time: 90s}",
      "budget: {tokens: 500, usd: 0, time: 0.5}",
      "lessons: {recall: 3, learn: true, agent: default, tenant: default}",
      "lessons: {recall: 5, agent: researcher-agent, tenant: a.b@c}",
      "lessons: {recall: 0, learn: false}",
      "lessons: false",
      "lessons: {}",
      "profile: default",
      "profile: protocol\nescalate: ./hand_over.sh\nreflect: {form: by_outcome, success: true}",
      "profile: {loomflow: {max_attempts: 2, threshold: 1, top_k_lessons: 1, lesson_store: ~}}\n"
      "escalate: {to: 'http://localhost:1/x', timeout: 5s}\nstop: {interrupted: true, unjudged: 2}",
      "profile: {protocol: {retries: 0, reflections: 0}}\nlessons: {order: protocol, least: 0,\n"
      "  all_agents: true, at_once: false, block: true}\nrevise: {policy: lessons}",
  };
  for (const std::string& rest : rests) {
    const std::string text = "task: x\n" + rest + "\n";
    EXPECT_TRUE(is_read(text)) << text;
    const schema::Result result = checked(text);
    EXPECT_TRUE(result.valid) << text
                              << (result.violations.empty()
                                      ? ""
                                      : result.violations.front().instance + ": " +
                                            result.violations.front().message);
  }
}

TEST(TaskSchema, RejectsWhatTheReaderRejects) {
  const std::string texts[] = {
      "{}",
      "[]",
      "task: 1",
      "task: ' '",
      "task: x\nchek: []",
      "task: x\ntype: ''",
      "task: x\ntype: 1",
      "task: x\nsystem: 1",
      "task: x\nmodel: gpt",
      "task: x\nmodel: http://h/v1",
      "task: x\nmodel: {judge: local}",
      "task: x\nmodel: {embed: local}",
      "task: x\nsampling: {temperature: 3}",
      "task: x\nsampling: {max_tokens: lots}",
      "task: x\nsampling: {max_tokens: 0}",
      "task: x\nsampling: {revise: {generate: {}}}",
      "task: x\ncheck: {contains: a}",
      "task: x\ncheck: [contains]",
      "task: x\ncheck: [{}]",
      "task: x\ncheck: [{name: a}]",
      "task: x\ncheck: [{contains: a, regex: b}]",
      "task: x\ncheck: [{contains: ''}]",
      "task: x\ncheck: [{contains: []}]",
      "task: x\ncheck: [{contains: ~}]",
      "task: x\ncheck: [{schema: object}]",
      "task: x\ncheck: [{regex: {}}]",
      "task: x\ncheck: [{regex: {must: ~}}]",
      "task: x\ncheck: [{command: {timeout: 1}}]",
      "task: x\ncheck: [{command: {run: a, timeout: 0}}]",
      "task: x\ncheck: [{command: {run: a, timeout: soon}}]",
      "task: x\ncheck: [{judge: {threshold: 8}}]",
      "task: x\ncheck: [{judge: {samples: 0}}]",
      "task: x\ncheck: [{judge: {examples: [{output: a}]}}]",
      "task: x\ncheck: [{criteria: []}]",
      "task: x\ncheck: [{criteria: [{weight: 1}]}]",
      "task: x\ncheck: [{compare: {rubric: a}}]",
      "task: x\nrevise: {strategy: rewrite}",
      "task: x\ncheck: [{judge: [a]}]",
      "task: x\ncheck: [{python: {}}]",
      "task: x\ncheck: [{tests: []}]",
      "task: x\naccept: 0.8",
      "task: x\naccept: {threshold: 80}",
      "task: x\nselect: best",
      "task: x\nstop: {attempts: 0}",
      "task: x\nstop: {attempts: ~}",
      "task: x\nstop: {plateau: often}",
      "task: x\nstop: {plateau: {gain: 5}}",
      "task: x\nstop: {duplicate: 0}",
      "task: x\nstop: {stable: {similarity: 2}}",
      "task: x\nstop: {oscillation: 1}",
      "task: x\nstop: {all: [{attempts: 2}]}",
      "task: x\nbudget: {tokens: 0}",
      "task: x\nbudget: {tokens: 1.5}",
      "task: x\nbudget: {usd: -1}",
      "task: x\nbudget: {time: 0}",
      "task: x\nlessons: {recall: -1}",
      "task: x\nlessons: {agent: ../me}",
      "task: x\nlessons: {agent: .me}",
      "task: x\nlessons: {tenant: \"\"}",
      "task: x\nprofile: prd",
      "task: x\nprofile: {loomflow: {max_attempts: 0}}",
      "task: x\nprofile: {loomflow: {threshold: 1.5}}",
      "task: x\nprofile: {loomflow: {top_k_lessons: 0}}",
      "task: x\nprofile: {protocol: {retries: -1}}",
      "task: x\nescalate: ''",
      "task: x\nreflect: {form: half}",
      "task: x\nlessons: {order: best}",
  };
  for (const std::string& text : texts) {
    EXPECT_FALSE(is_read(text)) << text;
    EXPECT_FALSE(checked(text).valid) << text;
  }
}

}  // namespace
}  // namespace hone::task
