// What a task file with a mistake is told: the whole sentences.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "hone/base/error.h"
#include "hone/task/testing.h"

namespace hone::task {
namespace {

struct Case {
  std::string text;
  std::string message;
};

void expect_messages(std::span<const Case> cases) {
  for (const Case& c : cases) {
    try {
      parsed(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), c.message);
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << c.text;
    }
  }
}

TEST(TaskFileErrors, OfTheWholeFile) {
  const Case cases[] = {
      {"", "t.yaml:1:1: the document must be a mapping, this is nothing"},
      {"- task: x", "t.yaml:1:1: the document must be a mapping, this is a list"},
      {"type: code", "t.yaml:1:1: the key `task` is missing"},
      {"task:", "t.yaml:1:1: `task` must be text, this is nothing"},
      {"task: ' '", "t.yaml:1:7: `task` is empty"},
      {"task: 3", "t.yaml:1:7: `task` must be text, this is the whole number 3"},
      {"task: x\nchek: []", "t.yaml:2:1: unknown key `chek`; did you mean `check`?"},
      {"task: x\nStop: {}", "t.yaml:2:1: unknown key `Stop`; did you mean `stop`?"},
      {"task: x\nzzz: {}", "t.yaml:2:1: unknown key `zzz`"},
      {"task: x\ntask: y", "t.yaml:2:1: the key `task` stands here and at 1:1"},
      {"task: [x", "t.yaml:1:7: this `[` is not closed by `]`, or a `,` is missing behind it"},
      {"task: x\ntype: 1", "t.yaml:2:7: `type` must be text, this is the whole number 1"},
      {"task: x\ntype: ''", "t.yaml:2:7: `type` is empty"},
      {"task: x\nsystem: true", "t.yaml:2:9: `system` must be text, this is true"},
      {"task: x\ninput: {a: .nan}", "t.yaml:2:8: JSON has no number nan"},
      {"task: '{{ input.x }}'", "t.yaml:1:7: template `task`:1: undefined value"},
      {"task: x\nrevise: regenrate",
       "t.yaml:2:9: `revise` cannot be `regenrate`; did you mean `regenerate`?"},
      {"task: x\nselect: best", "t.yaml:2:9: `select` cannot be `best`"},
      {"task: x\nselect: [latest]", "t.yaml:2:9: `select` must be text, this is a list"},
      {"task: x\naccept: 0.8", "t.yaml:2:9: `accept` must be a mapping, this is the number 0.8"},
      {"task: x\naccept: {threshold: 80}",
       "t.yaml:2:21: `accept.threshold` must be a number from 0 to 1, this is the whole number 80"},
      {"task: x\naccept: {treshold: 1}",
       "t.yaml:2:10: unknown key `treshold` in `accept`; did you mean `threshold`?"},
  };
  expect_messages(cases);
}

TEST(TaskFileErrors, OfModelsAndSampling) {
  const Case cases[] = {
      {"task: x\nmodel: gpt", "t.yaml:2:8: `gpt` is not a model: it names no provider"},
      {"task: x\nmodel: {generate: 'opnai:x'}",
       "t.yaml:2:19: `opnai` is no known provider of the model `opnai:x`; did you mean `openai`?"},
      {"task: x\nmodel: {judge: local}", "t.yaml:2:9: unknown key `judge` in `model`"},
      {"task: x\nmodel: [local]",
       "t.yaml:2:8: `model` must be the name of a model, or a mapping from roles to names, this is "
       "a list"},
      {"task: x\nmodel: {embed: local}", "t.yaml:2:16: `model.embed` is not in this version"},
      {"task: x\nsampling: {temperature: 3}",
       "t.yaml:2:25: `sampling.temperature` must be a number from 0 to 2, this is the whole number "
       "3"},
      {"task: x\nsampling: {max_tokens: lots}",
       "t.yaml:2:24: `sampling.max_tokens` must be a whole number, such as 500 or 20k, this is the "
       "text \"lots\""},
      {"task: x\nsampling: {max_token: 5}",
       "t.yaml:2:12: unknown key `max_token` in `sampling`; did you mean `max_tokens`?"},
      {"task: x\nsampling: {revise: {generate: {}}}",
       "t.yaml:2:21: unknown key `generate` in `sampling.revise`"},
      {"task: x\nsampling: {seed: -1}",
       "t.yaml:2:18: `sampling.seed` must be a whole number of at least 0, this is the whole "
       "number "
       "-1"},
  };
  expect_messages(cases);
}

TEST(TaskFileErrors, OfChecks) {
  const Case cases[] = {
      {"task: x\ncheck: {contains: a}", "t.yaml:2:8: `check` must be a list, this is a mapping"},
      {"task: x\ncheck: [contains]",
       "t.yaml:2:9: `check` must be a mapping, this is the text \"contains\""},
      {"task: x\ncheck:\n- contians: a",
       "t.yaml:3:3: unknown key `contians` in `check`; did you mean `contains`?"},
      {"task: x\ncheck:\n- {}", "t.yaml:3:3: this check does not say what it checks"},
      {"task: x\ncheck:\n- name: a", "t.yaml:3:3: this check does not say what it checks"},
      {"task: x\ncheck:\n- contains: a\n  regex: b",
       "t.yaml:4:10: one check cannot be `check.contains` and `check.regex`"},
      {"task: x\ncheck: [{contains: 5}]",
       "t.yaml:2:20: `check.contains` must be text, this is the whole number 5"},
      {"task: x\ncheck: [{contains: ''}]", "t.yaml:2:20: `check.contains` is empty"},
      {"task: x\ncheck: [{contains: []}]", "t.yaml:2:20: `check.contains` is an empty list"},
      {"task: x\ncheck: [{contains: [a, 1]}]",
       "t.yaml:2:24: `check.contains` must be text, this is the whole number 1"},
      {"task: x\ncheck: [{schema: object}]",
       "t.yaml:2:18: `check.schema` must be a JSON Schema, or the name of one as file://NAME, this "
       "is the text \"object\""},
      {"task: x\ncheck: [{regex: {}}]",
       "t.yaml:2:17: `check.regex` has no `must` and no `must_not`"},
      {"task: x\ncheck: [{regex: {mus: a}}]",
       "t.yaml:2:18: unknown key `mus` in `check.regex`; did you mean `must`?"},
      {"task: x\ncheck: [{command: {timeout: 1s}}]",
       "t.yaml:2:19: the key `run` is missing in `check.command`"},
      {"task: x\ncheck: [{command: {run: a, timeout: 0s}}]",
       "t.yaml:2:37: `check.command.timeout` must be a time of more than 0 s, this is the text "
       "\"0s\""},
      {"task: x\ncheck: [{command: {run: a, timeout: 1 minute}}]",
       "t.yaml:2:37: `check.command.timeout` must be a time, such as 90s or 250ms, this is the "
       "text "
       "\"1 minute\""},
      {"task: x\ncheck: [{judge: {threshold: 8}}]",
       "t.yaml:2:29: `check.judge.threshold` must be a number from 0 to 1, this is the whole "
       "number "
       "8"},
      {"task: x\ncheck: [{judge: {always: often}}]",
       "t.yaml:2:26: `check.judge.always` must be true or false, this is the text \"often\""},
      {"task: x\ncheck: [{name: '', judge: a}]", "t.yaml:2:16: `check.name` is empty"},
  };
  expect_messages(cases);
}

TEST(TaskFileErrors, OfSchemasAndPatternsComeWithTheirPlace) {
  for (const std::string check :
       {"schema: {type: objct}", "schema: {$ref: '#/nowhere'}", "regex: '('",
        "regex: {must_not: [a, '[']}", "schema: {properties: {a: {$ref: 'file://b.json'}}}"}) {
    try {
      parsed("task: x\ncheck:\n- " + check + "\n");
      ADD_FAILURE() << check << " was accepted";
    } catch (const Error& error) {
      EXPECT_TRUE(error.message().starts_with("t.yaml:3:")) << error.message();
    }
  }
}

TEST(TaskFileErrors, OfLimits) {
  const Case cases[] = {
      {"task: x\nstop: {attempts: 0}",
       "t.yaml:2:18: `stop.attempts` must be a whole number from 1 to 1000000, this is the whole "
       "number 0"},
      {"task: x\nstop: {attempts: three}",
       "t.yaml:2:18: `stop.attempts` must be a whole number, this is the text \"three\""},
      {"task: x\nstop: {attempts: false}",
       "t.yaml:2:18: `stop.attempts` must be a whole number, this is false"},
      {"task: x\nstop: {atempts: 2}",
       "t.yaml:2:8: unknown key `atempts` in `stop`; did you mean `attempts`?"},
      {"task: x\nstop: {plateau: often}",
       "t.yaml:2:17: `stop.plateau` must be a mapping such as {attempts: 2, gain: 0.05}, or false, "
       "this is the text \"often\""},
      {"task: x\nstop: {plateau: {gain: 5}}",
       "t.yaml:2:24: `stop.plateau.gain` must be a number from 0 to 1, this is the whole number 5"},
      {"task: x\nstop: {oscillation: 1}",
       "t.yaml:2:21: `stop.oscillation` must be a whole number from 2 to 1000000, this is the "
       "whole "
       "number 1"},
      {"task: x\nstop: {stable: {attempts: 2, similarity: 2}}",
       "t.yaml:2:42: `stop.stable.similarity` must be a number from 0 to 1, this is the whole "
       "number "
       "2"},
      {"task: x\nstop: {repeated_issues: 1}",
       "t.yaml:2:25: `stop.repeated_issues` must be a whole number from 2 to 1000000, this is the "
       "whole number 1"},
      {"task: x\nstop: {all: [{plateau: false}]}",
       "t.yaml:2:14: `stop.all` must be a mapping with a stop rule that is on, this is a mapping"},
      {"task: x\nstop: {any: [{attempts: 2}]}",
       "t.yaml:2:15: unknown key `attempts` in `stop.any`"},
      {"task: x\nstop: {duplicate: 0}",
       "t.yaml:2:19: `stop.duplicate` must be a whole number from 1 to 1000000, this is the whole "
       "number 0"},
      {"task: x\nstop: 3", "t.yaml:2:7: `stop` must be a mapping, this is the whole number 3"},
      {"task: x\nbudget: {tokens: 0}",
       "t.yaml:2:18: `budget.tokens` must be a whole number of at least 1, this is the whole "
       "number "
       "0"},
      {"task: x\nbudget: {tokens: 1.5}",
       "t.yaml:2:18: `budget.tokens` must be a whole number, this is the number 1.5"},
      {"task: x\nbudget: {usd: -1}",
       "t.yaml:2:15: `budget.usd` must be a number of at least 0, this is the whole number -1"},
      {"task: x\nbudget: {usd: $5}",
       "t.yaml:2:15: `budget.usd` must be a number, this is the text \"$5\""},
      {"task: x\nbudget: {time: 0}",
       "t.yaml:2:16: `budget.time` must be a time of more than 0 s, this is the whole number 0"},
      {"task: x\nbudget: {token: 1}",
       "t.yaml:2:10: unknown key `token` in `budget`; did you mean `tokens`?"},
      {"task: x\nlessons: {recall: -1}",
       "t.yaml:2:19: `lessons.recall` must be a whole number of at least 0, this is the whole "
       "number "
       "-1"},
      {"task: x\nprofile: papr", "t.yaml:2:10: `profile` cannot be `papr`; did you mean `paper`?"},
  };
  expect_messages(cases);
}

TEST(TaskFileErrors, OfCode) {
  const Case cases[] = {
      {"task: x\ncheck: [{python: ''}]", "t.yaml:2:18: `check.python` is empty"},
      {"task: x\ncheck: [{lua: {}}]", "t.yaml:2:15: the key `run` is missing in `check.lua`"},
      {"task: x\ncheck: [{prolog: {run: x, timeuot: 1s}}]",
       "t.yaml:2:27: unknown key `timeuot` in `check.prolog`; did you mean `timeout`?"},
      {"task: x\ncheck: [{python: {run: x, timeout: 0}}]",
       "t.yaml:2:36: `check.python.timeout` must be a time of more than 0 s, this is the whole "
       "number 0"},
      {"task: x\ncheck: [{python: {run: x, memory: 1k}}]",
       "t.yaml:2:35: `check.python.memory` must be a size from 16777216 to 68719476736 bytes, such "
       "as 64M, this is the text \"1k\""},
      {"task: x\ncheck: [{python: {run: x, threshold: 2}}]",
       "t.yaml:2:38: `check.python.threshold` must be a number from 0 to 1, this is the whole "
       "number 2"},
      {"task: x\ncheck: [{tests: {run: [a], language: ruby}}]",
       "t.yaml:2:17: tests of ruby need a `command`"},
      {"task: x\ncheck: [{tests: {run: [a, '']}}]",
       "t.yaml:2:23: `check.tests.run` has an empty test"},
  };
  expect_messages(cases);
}

TEST(TaskFileErrors, OfWhatIsNotInThisVersion) {
  const Case cases[] = {
      {"task: x\ncheck: [{criteria: []}]", "t.yaml:2:20: `check.criteria` is an empty list"},
      {"task: x\ncheck: [{compare: {}}]",
       "t.yaml:2:19: a comparison needs either `reference` or `with: prior`"},
      {"task: x\ncheck: [{tests: []}]", "t.yaml:2:17: `check.tests` is an empty list"},
      {"task: x\ncheck: [{judge: {samples: 0}}]",
       "t.yaml:2:27: `check.judge.samples` must be a whole number from 1 to 1000, this is the "
       "whole "
       "number 0"},
      {"task: x\ncheck: [{judge: {examples: [{output: a}]}}]",
       "t.yaml:2:29: this example says neither `passed` nor `score`"},
      {"task: x\ncheck: [{criteria: [{name: a, weight: -1}]}]",
       "t.yaml:2:39: `check.criteria.weight` must be a number from 0 to 1000000, this is the whole "
       "number -1"},
      {"task: x\ncheck: [{criteria: [a, a]}]", "t.yaml:2:24: there are two criteria `a`"},
      {"task: x\ncheck: [{criteria: [{name: a, pattern: b}]}]",
       "t.yaml:2:40: `pattern` does not go with the evaluator llm"},
      {"task: x\nrevise: {policy: freshly}",
       "t.yaml:2:18: `revise.policy` cannot be `freshly`; did you mean `fresh`?"},
      {"task: x\nlessons: {agent: ../me}",
       "t.yaml:2:18: `../me` cannot be the name of an agent of lessons"},
      {"task: x\nlessons: {tenant: a/b}",
       "t.yaml:2:19: `a/b` cannot be the name of a tenant of lessons"},
      {"task: x\nprofile: prd",
       "t.yaml:2:10: `profile` as the text \"prd\" is not in this version"},
  };
  expect_messages(cases);
}

}  // namespace
}  // namespace hone::task
