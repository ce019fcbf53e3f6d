#include "hone/core/reflection_form.h"

#include <fmt/format.h>

#include <array>

#include "hone/base/text.h"

namespace hone::core {
namespace {

constexpr std::array<std::string_view, 5> kForms{"full", "short", "procedure", "decision",
                                                 "sentence"};

std::string first_of(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (!trim(text).empty()) return std::string(trim(text));
  }
  return {};
}

}  // namespace

std::string_view to_string(ReflectionForm form) { return kForms[static_cast<std::size_t>(form)]; }

ReflectionForm form_after(const Evaluation& evaluation) {
  if (evaluation.outcome == Outcome::Passed) return ReflectionForm::Procedure;
  const bool partly = evaluation.score && evaluation.score->value() >= kPartlyRight;
  return partly ? ReflectionForm::Short : ReflectionForm::Full;
}

std::vector<ReflectionSection> sections(const Reflection& reflection, ReflectionForm form) {
  switch (form) {
    case ReflectionForm::Full:
      return {{"What happened?", reflection.what_happened},
              {"What went wrong?", reflection.what_went_wrong},
              {"Why did it go wrong?", reflection.why},
              {"What should I do differently?", reflection.do_differently},
              {"Tactical rule candidate", reflection.rule}};
    case ReflectionForm::Short:
      return {{"What happened?", reflection.what_happened},
              {"What went wrong?", reflection.what_went_wrong},
              {"What should I do differently?",
               first_of({reflection.do_differently, reflection.rule})}};
    case ReflectionForm::Procedure:
      return {{"Strategy", first_of({reflection.procedure, reflection.rule})},
              {"Why it worked", reflection.why}};
    case ReflectionForm::Decision:
      return {{"What was the decision?", reflection.rule},
              {"What alternatives existed?", reflection.what_happened},
              {"Why was this option chosen?", reflection.why}};
    case ReflectionForm::Sentence:
      return {{"", sentence_of(reflection)}};
  }
  return {};
}

std::string rendered(const Reflection& reflection, ReflectionForm form) {
  std::string text;
  for (const ReflectionSection& section : sections(reflection, form)) {
    if (section.heading.empty()) return section.text;
    const std::string said = first_of({section.text, "Not stated."});
    text += fmt::format("{}## {}\n\n{}\n", text.empty() ? "" : "\n", section.heading, said);
  }
  return text;
}

std::string sentence_of(const Reflection& reflection) {
  return first_of({reflection.rule, first_sentence(reflection.do_differently),
                   first_sentence(reflection.text)});
}

}  // namespace hone::core
