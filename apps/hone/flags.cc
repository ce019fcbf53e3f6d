#include "apps/hone/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace hone::app {
namespace {

std::string environment_name(std::string flag) {
  flag.erase(0, flag.find("--") + 2);
  std::ranges::transform(flag, flag.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  return "HONE_" + flag;
}

template <class Value>
CLI::Option* add(CLI::App& command, const std::string& names, Value& value,
                 const std::string& help) {
  return command.add_option(names, value, help)->envname(environment_name(names));
}

void add_switch(CLI::App& command, const std::string& names, bool& value, const std::string& help) {
  command.add_flag(names, value, help)->envname(environment_name(names));
}

}  // namespace

void add_access_flags(CLI::App& command, Flags& flags) {
  add(command, "--base-url", flags.base_url, "Where openai: models are (also OPENAI_BASE_URL)")
      ->type_name("URL");
  add(command, "--api-key-file", flags.api_key_file,
      "File that holds the key of openai: and http: models and that only you can read")
      ->type_name("FILE");
}

void add_model_flags(CLI::App& command, Flags& flags) {
  add(command, "-m,--model", flags.model,
      "Model of all roles: local, local:NAME, local:FILE.gguf, openai:NAME, anthropic:NAME, "
      "http://HOST/v1#NAME, command:CMD or scripted:FILE")
      ->type_name("MODEL");
  add(command, "--judge-model", flags.judge_model, "Model of the judge alone")->type_name("MODEL");
  add(command, "--reflector-model", flags.reflector_model, "Model of the reflector alone")
      ->type_name("MODEL");
  add_access_flags(command, flags);
  add(command, "--temperature", flags.temperature, "Sampling temperature of generator and reviser");
  add(command, "--max-tokens", flags.max_tokens, "Longest answer, such as 2k")->type_name("N");
  add(command, "--seed", flags.seed, "Makes sampling repeatable where the model can");
}

void add_attempts_flag(CLI::App& command, Flags& flags) {
  add(command, "-n,--attempts", flags.attempts, "Most outputs produced (default 3)");
}

void add_task_flags(CLI::App& command, Flags& flags) {
  add(command, "--check", flags.checks,
      "Command that reads the output on stdin; exit 0 passes. May repeat")
      ->type_name("CMD");
  add(command, "--schema", flags.schema_file, "JSON Schema that the output must fulfil")
      ->type_name("FILE");
  add(command, "--regex", flags.regex, "Pattern that the output must contain")->type_name("RE");
  add(command, "--judge", flags.judge, "Let a model judge the output by this rubric")
      ->type_name("RUBRIC");
  add(command, "--threshold", flags.threshold,
      "Score from which a judge's verdict passes (default 0.8)");
  add(command, "--stop", flags.stop, "Stop rule, such as duplicate=1 or plateau=false. May repeat")
      ->type_name("KEY=VALUE");
  add(command, "--select", flags.select,
      "Which attempt is returned: highest_score, latest, first_satisfactory, weighted_recency, "
      "first, first_unless_corrected")
      ->type_name("RULE");
  add(command, "--sandbox", flags.sandbox,
      "strict (default), or weak: run the code of checks even where the system lacks protection")
      ->type_name("HOW")
      ->check(CLI::IsMember({"strict", "weak"}));
  add(command, "--tokens", flags.tokens, "Budget of tokens for all calls, such as 20k")
      ->type_name("N");
  add(command, "--usd", flags.usd, "Budget of money for all calls, in US dollars")
      ->type_name("AMOUNT");
  add(command, "--time", flags.time, "Budget of time, such as 90s")->type_name("TIME");
  add(command, "--profile", flags.profile,
      "Named set of options: default, protocol, loomflow or paper")
      ->type_name("NAME");
  add(command, "--escalate", flags.escalate,
      "Who takes over from a run that gives up: a command, which gets the reflections as JSON on "
      "stdin, or the http(s) address of a webhook")
      ->type_name("CMD|URL");
  add_lesson_flags(command, flags);
  add_switch(command, "--no-lessons", flags.no_lessons, "Neither recall nor learn lessons");
}

void add_lesson_flags(CLI::App& command, Flags& flags) {
  add(command, "--lessons-dir", flags.lessons_dir,
      "Keep lessons as files in this folder (default: $XDG_DATA_HOME/hone/lessons.db)")
      ->type_name("DIR");
  add(command, "--agent", flags.agent, "Whose lessons (default: default)")->type_name("NAME");
  add(command, "--tenant", flags.tenant, "Whose lessons, which no other tenant sees")
      ->type_name("NAME");
}

void add_store_flag(CLI::App& command, Flags& flags) {
  add(command, "--store", flags.store,
      "Where runs are kept (default: $XDG_DATA_HOME/hone/store.db)")
      ->type_name("FILE");
}

void add_seal_key_flag(CLI::App& command, Flags& flags) {
  add(command, "--seal-key-file", flags.seal_key_file,
      "File with the key that seals what was taken out of texts (default: "
      "$XDG_CONFIG_HOME/hone/seal.key; also HONE_SEAL_KEY)")
      ->type_name("FILE");
}

void add_seal_flags(CLI::App& command, Flags& flags) {
  add(command, "--seal", flags.seal,
      "What becomes of what is taken out of stored texts: originals (kept, encrypted; the default) "
      "or none (lost: the run can be shown but not resumed)")
      ->type_name("originals|none")
      ->check(CLI::IsMember({"originals", "none"}));
  add_seal_key_flag(command, flags);
}

void add_keeping_flags(CLI::App& command, Flags& flags) {
  add_store_flag(command, flags);
  add_seal_flags(command, flags);
  add(command, "--redact", flags.redact,
      "What is taken out of stored texts: secrets, personal, infrastructure, or none (default: all "
      "three). May repeat")
      ->type_name("CLASS")
      ->delimiter(',')
      ->check(CLI::IsMember({"all", "secrets", "personal", "infrastructure", "none"}));
}

void add_output_flags(CLI::App& command, Flags& flags) {
  add_switch(command, "--json", flags.json, "Print JSON");
  add_switch(command, "-q,--quiet", flags.quiet, "No progress on stderr");
  add_switch(command, "-v,--verbose", flags.verbose, "Show everything in full");
}

void add_recorded_run(CLI::App& command, std::string& run, Flags& flags) {
  command.add_option("RUN", run, "Id of the run, or how it begins")->required();
  add_store_flag(command, flags);
  add_output_flags(command, flags);
}

void add_stream_flag(CLI::App& command, Flags& flags) {
  add_switch(command, "--stream", flags.stream, "Print events as JSON lines");
}

void add_each_flags(CLI::App& command, Flags& flags) {
  add(command, "--each", flags.each,
      "One run for each line: a JSON object, which is its input. - reads stdin")
      ->type_name("FILE");
  add(command, "-j,--jobs", flags.jobs,
      "Attempts at once, of which the first that passes ends the others (default 1); with --each "
      "runs at once (default 4)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

}  // namespace hone::app
