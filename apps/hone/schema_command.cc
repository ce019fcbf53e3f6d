// hone schema: the JSON Schema of the files that hone reads.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/hone/commands.h"
#include "apps/hone/exit_code.h"
#include "hone/base/error.h"
#include "hone/task/schema_file.h"

namespace hone::app {

void add_schema_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of a kind of file");
  command->footer("Example:\n  hone schema task");
  const auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "task")->required();
  command->callback([=, &chosen] {
    chosen = [=] {
      if (*kind != "task") {
        throw Error(ErrorKind::InvalidInput, fmt::format("there is no schema of `{}`", *kind),
                    "known here: task");
      }
      fmt::print("{}\n", task::task_schema());
      return kDone;
    };
  });
}

}  // namespace hone::app
