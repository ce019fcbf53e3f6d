#include "hone/prompt/reflection.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/prompt/reasons.h"

namespace hone::prompt {
namespace {

struct Field {
  const char* name;
  std::string core::Reflection::* member;
};

constexpr std::array<Field, 7> kFields{{{"what_happened", &core::Reflection::what_happened},
                                        {"what_went_wrong", &core::Reflection::what_went_wrong},
                                        {"why", &core::Reflection::why},
                                        {"do_differently", &core::Reflection::do_differently},
                                        {"rule", &core::Reflection::rule},
                                        {"principle", &core::Reflection::principle},
                                        {"procedure", &core::Reflection::procedure}}};

bool has_field(const Json& object) {
  for (const Field& field : kFields) {
    const auto found = object.find(field.name);
    if (found != object.end() && found->is_string()) return true;
  }
  return false;
}

core::Reflection with_fields(const Json& object) {
  core::Reflection reflection;
  for (const Field& field : kFields) {
    const auto found = object.find(field.name);
    if (found == object.end() || !found->is_string()) continue;
    reflection.*field.member = std::string(trim(found->get_ref<const std::string&>()));
  }
  return reflection;
}

bool ends_a_sentence(std::string_view text) {
  return text.ends_with('.') || text.ends_with('!') || text.ends_with('?');
}

// The fields that differ, as sentences of one paragraph.
std::string paragraph_of(const core::Reflection& reflection) {
  std::vector<std::string> sentences;
  for (const Field& field : kFields) {
    std::string sentence = reflection.*field.member;
    if (sentence.empty()) continue;
    if (!ends_a_sentence(sentence)) sentence += '.';
    if (std::ranges::find(sentences, sentence) == sentences.end()) {
      sentences.push_back(std::move(sentence));
    }
  }
  return join(sentences, " ");
}

}  // namespace

core::Reflection read_reflection(std::string_view reply) {
  const auto object = json_in_text(reply);
  core::Reflection reflection;
  if (object && object->is_object() && has_field(*object)) reflection = with_fields(*object);
  reflection.text = paragraph_of(reflection);
  if (!reflection.text.empty()) return reflection;
  reflection.text = std::string(reply);
  reflection.rule = first_sentence(reply);
  return reflection;
}

namespace {

void keep_form(core::Reflection& reflection, const ReflectionAsk& ask) {
  using core::ReflectionForm;
  if (ask.form != ReflectionForm::Full || !ask.mars) reflection.principle.clear();
  const bool procedure = ask.form == ReflectionForm::Procedure || ask.mars;
  if (!procedure) reflection.procedure.clear();
  if (ask.form == ReflectionForm::Short) reflection.why.clear();
}

core::Reflection sentence(std::string_view reply) {
  const core::Reflection said = read_reflection(reply);
  core::Reflection reflection;
  reflection.rule = core::sentence_of(said);
  reflection.text = reflection.rule;
  return reflection;
}

void fill(std::string& field, const Json& object, const char* name) {
  const auto found = object.find(name);
  if (!field.empty() || found == object.end() || !found->is_string()) return;
  field = std::string(trim(found->get_ref<const std::string&>()));
}

}  // namespace

core::Reflection read_reflection(std::string_view reply, const ReflectionAsk& ask) {
  if (ask.form == core::ReflectionForm::Sentence) return sentence(reply);
  core::Reflection reflection = read_reflection(reply);
  const std::string whole = paragraph_of(reflection);
  keep_form(reflection, ask);
  // A reply in no form has a text of its own.
  if (reflection.text == whole) reflection.text = paragraph_of(reflection);
  return reflection;
}

core::Reflection read_decision(std::string_view reply, core::Reflection said, bool significant) {
  const auto object = json_in_text(reply);
  if (!object || !object->is_object()) return said;
  fill(said.rule, *object, "decision");
  fill(said.what_happened, *object, "alternatives");
  fill(said.why, *object, "why");
  if (!significant) return said;
  fill(said.principle, *object, "principle");
  fill(said.procedure, *object, "procedure");
  return said;
}

core::Reflection reflection_without_answer(const core::Attempt& attempt) {
  core::Reflection reflection;
  reflection.what_went_wrong = join(reasons(attempt), "; ");
  reflection.text = "The reflector did not answer.";
  if (!reflection.what_went_wrong.empty()) {
    reflection.text += " The evaluation found: " + reflection.what_went_wrong;
  }
  return reflection;
}

}  // namespace hone::prompt
