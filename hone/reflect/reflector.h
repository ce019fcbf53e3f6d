// Reflects on attempts by asking a model.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/prompt/prompts.h"

namespace hone::reflect {

// In which form attempts are reflected on.
enum class Forms {
  Full,       // All fields, whatever the outcome.
  ByOutcome,  // As the Reflexion protocol's table says: five fields after a failure, with principle
              // and procedure where its cause is systemic; three where it is partly right; two
              // after a success.
  Sentence  // One sentence.
};
std::string_view to_string(Forms forms);  // "full", "by_outcome", "sentence".
std::optional<Forms> forms_from(std::string_view text);

struct ReflectorOptions {
  Forms forms = Forms::Full;
  std::string instruction;        // In place of our words on the form; empty for ours.
  bool keeps_procedures = false;  // A pass is reflected on as a procedure in the form Full, too.

  bool operator==(const ReflectorOptions&) const = default;
};

// What is asked for about the last attempt; absent for all fields, whatever the outcome. A repeat
// of an earlier output asks for no principle: that one has been asked for it.
std::optional<prompt::ReflectionAsk> ask_after(const core::Run& run,
                                               const ReflectorOptions& options);

// Asks once for each attempt and takes the reply in any form. When the model does not answer
// (Unavailable, Overloaded, Refused, or its own time limit), the run goes on with a reflection that
// says so and repeats the issues. Threads: as Reflector. Lifetime: the model outlives it.
class ModelReflector final : public core::Reflector {
 public:
  // Temperature 0.5 and 768 tokens unless `sampling` says otherwise; a seed as in ModelGenerator.
  explicit ModelReflector(core::Model& model, core::Sampling sampling = {},
                          ReflectorOptions options = {});

  async<core::Reflection> reflect(core::Context context, const core::Run& run) override;

 private:
  async<void> ask(core::Context context, const core::Run& run, core::Reflection& reflection);

  core::Model& model_;
  core::Sampling sampling_;
  ReflectorOptions options_;
};

struct DecisionRequest {
  core::Task task;        // What it was decided for; its prompt may be empty.
  core::Reflection said;  // As reflection_form.h has it; what is empty is asked for.
  bool significant = false;
  core::Sampling sampling = {};
};
// The reflection on a decision, by one call at `ask/1`. Errors: those of the model.
async<core::Reflection> reflect_on_decision(core::Context context, core::Model& model,
                                            DecisionRequest request);

}  // namespace hone::reflect
