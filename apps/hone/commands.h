// The commands of `hone`, one file each. Each adds itself to the command line; the chosen one is
// run by main() and returns the exit code.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace hone::app {

// What main() runs after the command line is read.
using Action = std::function<int()>;

void add_run_command(CLI::App& app, Action& chosen);
void add_eval_command(CLI::App& app, Action& chosen);
void add_prompt_command(CLI::App& app, Action& chosen);
void add_revise_command(CLI::App& app, Action& chosen);
void add_list_command(CLI::App& app, Action& chosen);
void add_show_command(CLI::App& app, Action& chosen);
void add_diff_command(CLI::App& app, Action& chosen);
void add_resume_command(CLI::App& app, Action& chosen);
void add_replay_command(CLI::App& app, Action& chosen);
void add_fork_command(CLI::App& app, Action& chosen);
void add_export_command(CLI::App& app, Action& chosen);
void add_import_command(CLI::App& app, Action& chosen);
void add_rm_command(CLI::App& app, Action& chosen);
void add_prune_command(CLI::App& app, Action& chosen);
void add_models_command(CLI::App& app, Action& chosen);
void add_lessons_command(CLI::App& app, Action& chosen);
void add_doctor_command(CLI::App& app, Action& chosen);
void add_init_command(CLI::App& app, Action& chosen);
void add_schema_command(CLI::App& app, Action& chosen);
void add_bench_command(CLI::App& app, Action& chosen);
void add_completion_command(CLI::App& app, Action& chosen);
void add_man_command(CLI::App& app, Action& chosen);

}  // namespace hone::app
