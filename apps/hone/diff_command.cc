// hone diff: two attempts of a run, word by word, or two runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/hone/commands.h"
#include "apps/hone/compare_runs.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/store.h"
#include "apps/hone/terminal.h"
#include "hone/base/diff.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/journal/run_store.h"

namespace hone::app {
namespace {

struct Asked {
  std::string run;
  std::string from;
  std::string to;
  bool lines = false;
};

int number_of(const std::string& text, const core::Run& run) {
  const auto number = to_number(text);
  const auto last = static_cast<double>(run.attempts.size());
  if (number && *number >= 1 && *number <= last && *number == static_cast<int>(*number)) {
    return static_cast<int>(*number);
  }
  throw Error(
      ErrorKind::InvalidInput,
      fmt::format("run {} has no attempt `{}`; it has {}", run.id, text, run.attempts.size()),
      fmt::format("see `hone show {}`", run.id));
}

std::string_view word(Change change) {
  switch (change) {
    case Change::Kept:
      return "kept";
    case Change::Removed:
      return "removed";
    case Change::Added:
      return "added";
  }
  return "";
}

Json to_json(const core::Run& run, int from, int to, const std::vector<DiffPiece>& pieces) {
  Json changes = Json::array();
  for (const DiffPiece& piece : pieces) {
    changes.push_back({{"change", word(piece.change)}, {"text", piece.text}});
  }
  return {{"format", 1},
          {"run", run.id},
          {"from", from},
          {"to", to},
          {"similarity", similarity(pieces)},
          {"changes", changes}};
}

// Words as [-old-]{+new+}, in colour on a terminal.
std::string shown_word(const Terminal& terminal, const DiffPiece& piece) {
  if (piece.change == Change::Kept) return piece.text;
  const bool removed = piece.change == Change::Removed;
  if (terminal.colours) {
    return terminal.paint(piece.text, removed ? Colour::Red : Colour::Green);
  }
  return removed ? "[-" + piece.text + "-]" : "{+" + piece.text + "+}";
}

// Each line with "  ", "- " or "+ " in front of it.
std::string shown_lines(const Terminal& terminal, const DiffPiece& piece) {
  const bool kept = piece.change == Change::Kept;
  const bool removed = piece.change == Change::Removed;
  const std::string_view mark = kept ? "  " : removed ? "- " : "+ ";
  const Colour colour = kept ? Colour::Plain : removed ? Colour::Red : Colour::Green;
  std::string text;
  std::vector<std::string> lines = split(piece.text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (const std::string& line : lines) {
    text += terminal.paint(std::string(mark) + line, colour) + "\n";
  }
  return text;
}

void print(const std::vector<DiffPiece>& pieces, bool lines) {
  const Terminal terminal = Terminal::of_stdout();
  std::string text;
  for (DiffPiece piece : pieces) {
    if (terminal.is_terminal) piece.text = printable(piece.text);
    text += lines ? shown_lines(terminal, piece) : shown_word(terminal, piece);
  }
  fmt::print("{}{}", text, text.empty() || text.ends_with('\n') ? "" : "\n");
}

int diff_runs(const Asked& asked, const Flags& flags) {
  journal::RunStore store(store_path(flags));
  const auto left = store.recorded(store.find_run(asked.run).run);
  const auto right = store.recorded(store.find_run(asked.from).run);
  if (flags.json) {
    fmt::print("{}\n", dump_pretty(compared_json(left, right)));
  } else {
    fmt::print("{}", compared_text(left, right));
  }
  return kDone;
}

int diff(const Asked& asked, const Flags& flags) {
  if (asked.to.empty()) return diff_runs(asked, flags);
  journal::RunStore store(store_path(flags));
  const core::Run run = store.load(store.find_run(asked.run).run);
  const int from = number_of(asked.from, run);
  const int to = number_of(asked.to, run);
  const auto pieces = difference(run.attempt(from).output.text, run.attempt(to).output.text,
                                 asked.lines ? DiffUnit::Lines : DiffUnit::Words);
  if (flags.json) {
    fmt::print("{}\n", dump_pretty(to_json(run, from, to, pieces)));
  } else {
    print(pieces, asked.lines);
  }
  return kDone;
}

}  // namespace

void add_diff_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "diff", "Compare two attempts of a run word by word, or a run with another one");
  command->footer(
      "Example:\n  hone list --json | grep -q '\\[\\]' || hone diff $(hone list | head -1 | cut "
      "-c1-16) 1 1");
  const auto flags = std::make_shared<Flags>();
  const auto asked = std::make_shared<Asked>();
  add_recorded_run(*command, asked->run, *flags);
  command->add_option("A", asked->from, "Number of an attempt, or another run")->required();
  command->add_option("B", asked->to, "Number of another attempt");
  command->add_flag("--lines", asked->lines, "Compare line by line");
  command->callback(
      [=, &chosen] { chosen = [=] { return diff(*asked, configured(*flags, *command)); }; });
}

}  // namespace hone::app
