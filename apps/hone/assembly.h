// Builds what a task needs: models, checks and roles. The one place that names concrete parts.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/hone/run_options.h"
#include "hone/core/code.h"
#include "hone/core/json_form.h"
#include "hone/core/loop.h"
#include "hone/core/roles.h"
#include "hone/journal/recording.h"
#include "hone/reflect/guided.h"
#include "hone/task/task_file.h"

namespace hone::app {

// Which roles a command needs.
enum class Need { EvaluatorOnly, AllRoles };

struct AssemblyOptions {
  // Makes the model that a name stands for, without wrappers; `role` is the first that asks for it.
  std::function<std::unique_ptr<core::Model>(core::Role role, const std::string& spec)> make_model;
  // The most that a call of that model costs, for budgets of money; may be absent.
  std::function<core::Ledger::CostAtMost(const std::string& spec)> cost_at_most = {};
  journal::Recording* recording = nullptr;  // Null: nothing is recorded.
  Need need = Need::AllRoles;
  // The first output, when it is given: then nobody is asked to generate.
  std::optional<std::string> given;
  std::optional<ForkOrigin> fork;  // Whose guidance is heard.
  core::Memory* memory = nullptr;  // Null: nothing is recalled or learned. Outlives the assembly.
  // Runs the code of checks, and outlives the assembly. Null: a sandbox of its own.
  core::CodeRunner* code = nullptr;
};

// Owns the parts of one task; `file` outlives it. Throws InvalidInput or NotFound for models that
// cannot be had.
class Assembly {
 public:
  Assembly(const task::TaskFile& file, AssemblyOptions options);
  ~Assembly();

  core::Roles roles();
  core::Evaluator& evaluator() { return *evaluator_; }
  // The name of the model that each role asks.
  const core::ModelNames& model_names() const { return model_names_; }

 private:
  core::Model& model_for(core::Role role);
  core::Model& wrapped(std::unique_ptr<core::Model> provider, const std::string& spec);
  core::Sampling sampling_for(core::Role role) const;
  std::unique_ptr<core::Evaluator> make_check(const task::Check& check);
  std::unique_ptr<core::Evaluator> make_command(const task::CommandCheck& check);
  std::unique_ptr<core::Evaluator> make_code(const task::CodeCheck& check);
  std::unique_ptr<core::Evaluator> make_tests(const task::TestsCheck& check);
  core::Runner& processes();
  std::unique_ptr<core::Evaluator> make_judge(const task::JudgeCheck& check);
  std::unique_ptr<core::Evaluator> make_criteria(const task::CriteriaCheck& check);
  std::unique_ptr<core::Evaluator> make_compare(const task::CompareCheck& check);
  core::CodeRunner& code();
  std::unique_ptr<core::Evaluator> make_chain();
  std::unique_ptr<core::Generator> make_generator();
  std::unique_ptr<core::Escalation> make_escalation();
  void make_writing_roles();

  const task::TaskFile& file_;
  AssemblyOptions options_;
  std::unique_ptr<core::Runner> system_runner_;
  std::unique_ptr<core::Runner> journaled_runner_;
  std::unique_ptr<core::Runner> webhook_;
  std::unique_ptr<core::Runner> journaled_webhook_;
  std::unique_ptr<core::CodeRunner> own_code_;
  std::unique_ptr<core::CodeRunner> journaled_code_;
  std::vector<std::unique_ptr<core::Model>> models_;  // Inner ones first.
  std::map<std::string, core::Model*> by_spec_;
  core::ModelNames model_names_;
  std::unique_ptr<core::Generator> generator_;
  std::unique_ptr<core::Evaluator> evaluator_;
  std::unique_ptr<core::Reflector> reflector_;
  std::unique_ptr<core::Reviser> reviser_;
  std::unique_ptr<core::Escalation> escalation_;  // Null where nobody takes over.
  std::unique_ptr<reflect::Guided> guided_;       // Null where nobody guides.
  core::NoMemory no_memory_;
};

}  // namespace hone::app
