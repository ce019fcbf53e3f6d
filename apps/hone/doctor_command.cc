// hone doctor: what is wrong here, and what to do about it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/diagnosis.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/terminal.h"
#include "hone/base/json.h"

namespace hone::app {
namespace {

Colour colour_of(Health health) {
  if (health == Health::Ok) return Colour::Green;
  return health == Health::Warn ? Colour::Yellow : Colour::Red;
}

void print_json(const std::vector<Finding>& findings) {
  Json rows = Json::array();
  for (const Finding& finding : findings) {
    rows.push_back({{"check", finding.check},
                    {"status", to_string(finding.health)},
                    {"detail", finding.detail},
                    {"hint", finding.hint}});
  }
  fmt::print("{}\n", dump_pretty(rows));
}

void print_lines(const std::vector<Finding>& findings) {
  const Terminal terminal = Terminal::of_stdout();
  for (const Finding& finding : findings) {
    const std::string word = fmt::format("{:<4}", to_string(finding.health));
    fmt::print("{}  {:<17}  {}\n", terminal.paint(word, colour_of(finding.health)), finding.check,
               finding.detail);
    if (!finding.hint.empty()) fmt::print("{:25}{}\n", "", finding.hint);
  }
}

int doctor(const Flags& flags) {
  const std::vector<Finding> findings = diagnose(flags);
  if (flags.json) {
    print_json(findings);
  } else {
    print_lines(findings);
  }
  const bool failed = std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.health == Health::Fail; });
  return failed ? kFailure : kDone;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("doctor", "Look at what hone needs here; the network is not touched");
  command->footer("Example:\n  hone doctor");
  const auto flags = std::make_shared<Flags>();
  add_store_flag(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback([=, &chosen] { chosen = [=] { return doctor(*flags); }; });
}

}  // namespace hone::app
