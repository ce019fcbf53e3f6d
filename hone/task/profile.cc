#include "hone/task/profile.h"

#include <array>
#include <functional>

#include "hone/base/error.h"
#include "hone/task/loomflow.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr int kPaperAttempts = 5;
constexpr std::int64_t kMost = 1'000'000;
constexpr std::array<std::string_view, 2> kWithParameters{"protocol", "loomflow"};
constexpr std::array<std::string_view, 2> kProtocolKeys{"retries", "reflections"};
constexpr std::array<std::string_view, 9> kLoomflowKeys{
    "max_attempts", "threshold",     "evaluator_prompt", "reflector_prompt", "lessons_block_name",
    "lesson_store", "top_k_lessons", "evaluator_model",  "reflector_model"};

void apply_paper(TaskFile& file) {
  set_plain_stop(file, kPaperAttempts);
  if (!file.says("select")) file.select = core::Selection::Latest;
  if (!file.says("revise")) {
    file.revise.strategy = reflect::Strategy::FullRewrite;
    file.revise.include_prior_versions = 0;
    file.revise.include_reflection_history = 1;
  }
  for (const core::Role role : {core::Role::Generate, core::Role::Reflect, core::Role::Revise}) {
    core::Sampling& sampling = file.sampling[role];
    if (!sampling.temperature) sampling.temperature = 0;
  }
}

void require(bool fits, const char* rule, const char* hint) {
  if (!fits) throw Error(ErrorKind::InvalidInput, rule, hint);
}

int number(const yaml::Field& field) { return static_cast<int>(field.whole(-kMost, kMost)); }

// What is out of range is told at the place of the parameter, which is the first word of it.
template <class Options>
void checked(const Options& options, const yaml::Fields& fields, const yaml::Field& whole) {
  try {
    check(options);
  } catch (const Error& error) {
    const std::string message = error.message();
    const auto named = fields.find(message.substr(0, message.find(' ')));
    throw(named ? *named : whole).error(message, error.hint());
  }
}

ProtocolOptions protocol_options(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kProtocolKeys);
  ProtocolOptions options;
  if (const auto value = present(fields, "retries")) options.retries = number(*value);
  if (const auto value = present(fields, "reflections")) options.reflections = number(*value);
  checked(options, fields, field);
  return options;
}

LoomflowOptions loomflow_options(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kLoomflowKeys);
  LoomflowOptions options;
  const auto text = [&](std::string_view key, std::string& value) {
    if (const auto given = present(fields, key)) value = given->text();
  };
  constexpr double kAny = 1e9;
  if (const auto value = present(fields, "max_attempts")) options.max_attempts = number(*value);
  if (const auto value = present(fields, "threshold"))
    options.threshold = value->number(-kAny, kAny);
  if (const auto value = present(fields, "top_k_lessons")) options.top_k_lessons = number(*value);
  text("evaluator_prompt", options.evaluator_prompt);
  text("reflector_prompt", options.reflector_prompt);
  text("evaluator_model", options.evaluator_model);
  text("reflector_model", options.reflector_model);
  // A name of a block asks for one.
  options.lesson_store = !present(fields, "lessons_block_name").has_value();
  text("lessons_block_name", options.lessons_block_name);
  const auto store = fields.find("lesson_store");
  if (store) options.lesson_store = !store->is_null() && store->boolean();
  checked(options, fields, field);
  return options;
}

}  // namespace

void set_plain_stop(TaskFile& file, int attempts) {
  if (!file.says("stop.attempts")) file.stop.attempts = attempts;
  if (!file.says("stop.plateau")) file.stop.when.plateau.reset();
  if (!file.says("stop.duplicate")) file.stop.when.duplicate.reset();
}

void check(const ProtocolOptions& options) {
  require(options.retries >= 0, "retries must be >= 0", "0 makes one attempt");
  require(options.reflections >= 0, "reflections must be >= 0", "0 shows none of earlier runs");
}

void apply(TaskFile& file, const ProtocolOptions& options) {
  check(options);
  file.profile = "protocol";
  set_plain_stop(file, options.retries + 1);
  if (!file.says("lessons.recall") && file.lessons.are_used()) {
    file.lessons.recall = options.reflections;
  }
  if (!file.says("lessons.order")) file.lessons.order = memory::Order::Protocol;
  if (!file.says("reflect.form")) file.reflect.options.forms = reflect::Forms::ByOutcome;
}

bool apply_profile(TaskFile& file, std::string_view name) {
  if (name == "protocol") {
    apply(file, ProtocolOptions());
  } else if (name == "loomflow") {
    apply(file, LoomflowOptions());
  } else if (name == "paper") {
    apply_paper(file);
    file.profile = "paper";
  } else {
    return name == "default";
  }
  return true;
}

void read_profile(TaskFile& file, const yaml::Field& field) {
  if (field.node().get_if<yaml::Node::Mapping>() != nullptr) {
    const yaml::Fields fields = field.mapping(kWithParameters);
    if (const auto value = present(fields, "protocol")) apply(file, protocol_options(*value));
    if (const auto value = present(fields, "loomflow")) apply(file, loomflow_options(*value));
    return;
  }
  const std::string word = field.text();
  if (word == "tea" || word == "prd") throw value_not_in_this_version(field);
  if (apply_profile(file, word)) return;
  throw unknown_word(field, {"default", "protocol", "loomflow", "tea", "prd", "paper"});
}

}  // namespace hone::task
