// The flags of the command line. Every one has a twin in the environment: --max-tokens is
// HONE_MAX_TOKENS.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hone::app {

// As they were typed; absent and empty mean "not given".
struct Flags {
  std::string model;
  std::string judge_model;
  std::string reflector_model;
  std::string base_url;
  std::string api_key_file;
  std::optional<double> temperature;
  std::string max_tokens;
  std::optional<std::uint64_t> seed;

  std::optional<int> attempts;
  std::optional<double> threshold;
  std::vector<std::string> checks;
  std::string schema_file;
  std::string judge;
  std::string regex;
  std::vector<std::string> stop;
  std::string select;
  std::string sandbox;
  std::string tokens;
  std::optional<double> usd;
  std::string time;
  std::string profile;
  std::string escalate;

  std::string each;
  std::optional<int> jobs;

  std::string store;
  std::string lessons_dir;
  std::string agent;
  std::string tenant;
  std::string seal;
  std::string seal_key_file;
  std::vector<std::string> redact;
  bool no_lessons = false;
  bool json = false;
  bool stream = false;
  bool quiet = false;
  bool verbose = false;

  // What the configuration files say, for what neither a flag nor the task file does; may be null.
  std::shared_ptr<const Flags> defaults;
};

void add_model_flags(CLI::App& command, Flags& flags);
// --base-url and --api-key-file; add_model_flags has them too.
void add_access_flags(CLI::App& command, Flags& flags);
void add_attempts_flag(CLI::App& command, Flags& flags);
void add_task_flags(CLI::App& command, Flags& flags);
// Where lessons are kept and whose they are.
void add_lesson_flags(CLI::App& command, Flags& flags);
void add_store_flag(CLI::App& command, Flags& flags);
// Those of commands that record: what of the text they keep.
void add_keeping_flags(CLI::App& command, Flags& flags);
void add_seal_flags(CLI::App& command, Flags& flags);
void add_seal_key_flag(CLI::App& command, Flags& flags);
void add_output_flags(CLI::App& command, Flags& flags);
// Those of commands that tell of one recorded run: RUN, --store and the output flags.
void add_recorded_run(CLI::App& command, std::string& run, Flags& flags);
void add_stream_flag(CLI::App& command, Flags& flags);
void add_each_flags(CLI::App& command, Flags& flags);

}  // namespace hone::app
