// hone init: a task file to start from.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include "apps/hone/commands.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/starters.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::app {
namespace {

std::vector<std::string> types() {
  std::vector<std::string> names;
  for (const Starter& starter : starters()) names.push_back(starter.type);
  return names;
}

const Starter& starter_of(const std::string& type) {
  const auto found = std::ranges::find(starters(), type, &Starter::type);
  if (found != starters().end()) return *found;
  const auto meant = nearest(type, types());
  throw Error(ErrorKind::InvalidInput, fmt::format("there is no starter of type `{}`", type),
              meant ? fmt::format("did you mean {}?", *meant) : "use " + join(types(), ", "));
}

std::string text_for(const Starter& starter, const std::string& file) {
  std::string text = starter.text;
  const std::string mark = " FILE";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    text.replace(at + 1, mark.size() - 1, file);
  }
  return text;
}

// Makes the file; nothing that is there is touched.
void write_new(const std::string& file, std::string_view text) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (made < 0 && errno == EEXIST) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is there already", file),
                "name another file: hone init FILE");
  }
  const bool written =
      made >= 0 && write(made, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::error_code reason(errno, std::generic_category());
  if (made >= 0) close(made);
  if (written) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("`{}` cannot be written: {}", file, reason.message()),
              "name a file in a folder that you may write to");
}

int init(const std::string& file, const std::string& type) {
  if (file == "-") {
    fmt::print("{}", text_for(starter_of(type), "task.yaml"));
    return kDone;
  }
  write_new(file, text_for(starter_of(type), file));
  fmt::print("{}\n", file);
  fmt::print(stderr, "look at it, then: hone prompt {0}, hone run {0}\n", file);
  return kDone;
}

}  // namespace

void add_init_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("init", "Write a task file to start from");
  command->footer("Example:\n  hone init - --type analysis");
  const auto file = std::make_shared<std::string>("task.yaml");
  const auto type = std::make_shared<std::string>("code");
  command->add_option("FILE", *file, "File to make, or - for stdout (default: task.yaml)");
  command->add_option("--type", *type, "code, writing, analysis or reasoning (default: code)")
      ->type_name("TYPE");
  command->callback([=, &chosen] { chosen = [=] { return init(*file, *type); }; });
}

}  // namespace hone::app
