#include "apps/hone/manual.h"

#include <fmt/format.h>

#include "hone/base/text.h"

namespace hone::app {
namespace {

// What no command says of itself.
constexpr std::string_view kEnd = R"(.SH EXIT STATUS
.TP
.B 0
Done, and good enough.
.TP
.B 1
Something broke while it ran.
.TP
.B 2
The command line, a configuration file or a task file is wrong; nothing was run.
.TP
.B 3
The budget of tokens, money or calls ran out.
.TP
.B 100
It ran, and no attempt was good enough.
.TP
.B 124
The budget of time ran out.
.TP
.B 130
Interrupted.
.PP
The best attempt that was evaluated is printed in every case. With
.B \-\-each
the worst run decides, in the order 1, 130, 3, 124, 100, 0.
.SH ENVIRONMENT
Every option has a twin: \-\-max\-tokens is HONE_MAX_TOKENS. An option wins over its twin, both win
over the task file, and the task file wins over configuration files.
.TP
.B OPENAI_API_KEY, OPENAI_BASE_URL
The key of openai: models, and where they are.
.TP
.B XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME
Where the configuration, the runs and the local models are kept.
.TP
.B NO_COLOR
No colours, if it is set.
.SH FILES
.TP
.I ~/.config/hone/config.yaml
Defaults for options, called like them with _ for \-: model, attempts, check, store.
.TP
.I .hone.yaml
The same for a project, in the working folder or one above it; it wins over the user's. It may not
hold api_key_file, base_url, check, nor models that are commands or servers.
.TP
.I ~/.local/share/hone/store.db
The runs.
)";

// Text inside a line of roff.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\') roff += "\\e";
    if (c == '-') roff += "\\-";
    if (c != '\\' && c != '-') roff += c;
  }
  // A line that begins so would be a request.
  if (roff.starts_with('.') || roff.starts_with('\'')) roff.insert(0, "\\&");
  return roff;
}

std::string option(const OptionWords& words) {
  std::string head = ".TP\n.B " + escaped(join(words.names, ", "));
  if (!words.value.empty()) head += " " + escaped(words.value);
  std::string text = head + "\n" + escaped(words.description);
  if (!words.environment.empty()) text += " (" + words.environment + ")";
  return text + "\n";
}

std::string synopsis(const CommandWords& command, const std::string& parent) {
  std::string text = ".SS hone " + escaped(parent + command.name);
  for (const ArgumentWords& argument : command.arguments) {
    text += argument.required ? " " + argument.name : " [" + argument.name + "]";
  }
  return text + "\n";
}

std::string examples(const std::string& footer) {
  std::string text;
  for (const std::string& line : split(footer, '\n')) {
    if (line.starts_with("  ")) text += escaped(trim(line)) + "\n";
  }
  return text.empty() ? "" : ".PP\n.nf\n" + text + ".fi\n";
}

std::string section(const CommandWords& command, const std::string& parent) {
  std::string text = synopsis(command, parent) + escaped(command.description) + ".\n";
  for (const ArgumentWords& argument : command.arguments) {
    text += ".TP\n.I " + escaped(argument.name) + "\n" + escaped(argument.description) + "\n";
  }
  for (const OptionWords& words : command.options) text += option(words);
  text += examples(command.footer);
  for (const CommandWords& below : command.commands) {
    text += section(below, parent + command.name + " ");
  }
  return text;
}

}  // namespace

std::string manual(const CommandWords& hone) {
  std::string text = ".TH HONE 1 \"\" \"hone " HONE_VERSION "\"\n.SH NAME\nhone \\- " +
                     escaped(hone.description) +
                     "\n.SH SYNOPSIS\n.B hone\n.I COMMAND\n[options]\n" + ".SH COMMANDS\n";
  for (const CommandWords& command : hone.commands) text += section(command, "");
  return text + std::string(kEnd);
}

}  // namespace hone::app
