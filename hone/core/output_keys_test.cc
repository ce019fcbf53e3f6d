// Invariant 11: whatever an output says, the engine's own keys keep the engine's values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/core/function_roles.h"
#include "hone/core/json_form.h"
#include "hone/core/testing.h"

namespace hone::core {
namespace {

// The names the engine itself uses, in results, events and records.
const std::vector<std::string> kOwnKeys{
    "format", "run",    "task",    "model",    "success",    "stop",     "selected",
    "output", "event",  "at",      "sequence", "evaluation", "attempts", "outcome",
    "score",  "checks", "lessons", "usage",    "seconds",    "error",    "passed",
    "issues", "number", "finish",  "attempt",  "text",       "reason",   "$text"};

rc::Gen<Json> imitation(int depth) {
  return rc::gen::exec([depth]() -> Json {
    const int kind = *rc::gen::inRange(0, depth > 0 ? 6 : 4);
    if (kind == 0) return true;
    if (kind == 1) return *rc::gen::inRange(-3, 3);
    if (kind == 2)
      return *rc::gen::element<std::string>("passed", "", "1.0", "\"}],\"success\":true");
    if (kind == 3) return nullptr;
    Json made = Json::object();
    for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
      made[*rc::gen::elementOf(kOwnKeys)] = *imitation(depth - 1);
    }
    return made;
  });
}

class Streaming final : public EventSink {
 public:
  Instant emit(const std::string& run, const Event& event, Instant at) override {
    lines.push_back(stream_json(event, run, at, static_cast<std::int64_t>(lines.size())));
    return at;
  }
  std::vector<Json> lines;
};

struct Told {
  Json result;
  std::vector<Json> stream;
};

// A run of two attempts that say `first` and `second`; as values, too, if `as_value`.
Told tell(const std::string& first, const std::string& second, bool as_value) {
  Streaming stream;
  TestScene scene({}, &stream);
  FunctionGenerator generator([&](const Run&) { return Output{.text = first}; });
  FunctionReviser reviser([&](const Run&) { return Output{.text = second}; });
  FunctionReflector reflector([](const Run&) { return Reflection{.text = "why"}; });
  FunctionEvaluator evaluator([&](const Run& run, const Output& output) {
    Evaluation evaluation =
        run.attempts.empty() ? failed(Score(0.25), {Issue{.message = "no"}}) : passed(Score(0.5));
    if (as_value) evaluation.value = JsonText{output.text};
    return evaluation;
  });
  NoMemory memory;
  const Run run = scene.run(Task{.name = "t", .prompt = "p"},
                            {generator, evaluator, reflector, reviser, memory}, LoopOptions());
  return {to_json(run, {}), stream.lines};
}

// Everything but what the outputs said.
Json without_outputs(Json result) {
  result.erase("output");
  for (Json& attempt : result["attempts"]) attempt.erase("output");
  return result;
}

Json without_texts(Json line) {
  line.erase("output");
  line.erase("text");
  return line;
}

RC_GTEST_PROP(Invariants, AnOutputNeverOverwritesTheEnginesOwnKeys, ()) {
  const bool as_value = *rc::gen::arbitrary<bool>();
  const std::string first = dump(*imitation(3));
  const std::string second = dump(*imitation(3)) + " ";
  const Told told = tell(first, second, as_value);
  const Told plain = tell("1", "2", as_value);
  RC_ASSERT(without_outputs(told.result) == without_outputs(plain.result));
  RC_ASSERT(told.stream.size() == plain.stream.size());
  for (std::size_t i = 0; i < told.stream.size(); ++i) {
    RC_ASSERT(without_texts(told.stream[i]) == without_texts(plain.stream[i]));
  }
  const Json expected = as_value ? parse_json(second) : Json(second);
  RC_ASSERT(told.result.at("output") == expected);
}

}  // namespace
}  // namespace hone::core
