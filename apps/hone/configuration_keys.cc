#include "apps/hone/configuration_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "apps/hone/task_argument.h"
#include "hone/base/error.h"
#include "hone/base/units.h"
#include "hone/core/selection.h"
#include "hone/model/spec.h"
#include "hone/task/profile.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

struct Key {
  std::string_view name;
  void (*set)(Flags& flags, const yaml::Field& value, const Origin& origin);
  bool project = true;  // May stand in the file of a project.
};

Error not_in_a_project(const yaml::Field& value, std::string_view what) {
  return value.error(
      fmt::format("{} may not come from a project's file, which anybody may have written", what),
      "move it to your own configuration (`hone doctor` shows where), or give it as a flag");
}

std::string number_text(double number) { return fmt::format("{}", number); }

// A file that the configuration names: beside it or, for the user's, in the working folder where
// only that one exists. That of a project has to lie inside of it.
std::string file_of(const yaml::Field& value, const std::string& name, const Origin& origin) {
  std::error_code failure;
  const fs::path path = origin.folder / name;
  const fs::path whole = fs::weakly_canonical(path, failure);
  const fs::path folder = fs::weakly_canonical(origin.folder, failure);
  const fs::path way = whole.lexically_relative(folder);
  const bool leaves = failure || way.empty() || *way.begin() == "..";
  if (origin.owner == Owner::Project && leaves) {
    throw not_in_a_project(value, "a file outside of the project");
  }
  const bool only_here = !fs::exists(path, failure) && fs::exists(name, failure);
  return origin.owner == Owner::User && only_here ? name : path.string();
}

// A model whose file, if it has one, is relative to the configuration.
std::string model_of(const yaml::Field& value, const Origin& origin) {
  model::ModelSpec spec;
  try {
    spec = model::parse_spec(value.text());
  } catch (const Error& error) {
    throw value.error(error.message(), error.hint());
  }
  const bool chooses =
      spec.provider == model::Provider::Command || spec.provider == model::Provider::Compatible;
  if (origin.owner == Owner::Project && chooses) {
    throw not_in_a_project(value, "a command or the address of a server");
  }
  if (spec.file.empty()) return value.text();
  spec.file = file_of(value, spec.file, origin);
  return model::to_string(spec);
}

std::vector<std::string> texts(const yaml::Field& value) {
  if (value.node().get_if<std::string>() != nullptr) return {value.text()};
  std::vector<std::string> all;
  for (const yaml::Field& item : value.list()) all.push_back(item.text());
  return all;
}

std::string stop_value(const yaml::Node& node) {
  if (node.is_null()) return "null";
  if (const auto* flag = node.get_if<bool>()) return *flag ? "true" : "false";
  if (const auto* whole = node.get_if<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = node.get_if<double>()) return number_text(*number);
  if (const auto* text = node.get_if<std::string>()) return *text;
  return yaml::describe(node);
}

void set_stop(Flags& flags, const yaml::Field& value, const Origin&) {
  const auto* rules = value.node().get_if<yaml::Node::Mapping>();
  if (rules == nullptr) throw value.must_be("a mapping such as {attempts: 5, plateau: false}");
  for (const yaml::Member& rule : *rules) {
    const std::string entry = rule.key + "=" + stop_value(rule.value);
    try {
      core::StopRules tried;
      add_stop_rule(tried, entry);
    } catch (const Error& error) {
      throw value.error(error.message(), error.hint());
    }
    flags.stop.push_back(entry);
  }
}

void set_sandbox(Flags& flags, const yaml::Field& value, const Origin&) {
  if (value.text() != "strict" && value.text() != "weak") throw value.must_be("strict or weak");
  flags.sandbox = value.text();
}
void set_select(Flags& flags, const yaml::Field& value, const Origin&) {
  if (!core::selection_from(value.text())) {
    throw value.must_be("highest_score, latest, first_satisfactory, weighted_recency or first");
  }
  flags.select = value.text();
}

void set_redact(Flags& flags, const yaml::Field& value, const Origin&) {
  constexpr std::array<std::string_view, 5> kClasses{"all", "secrets", "personal", "infrastructure",
                                                     "none"};
  flags.redact = texts(value);
  for (const std::string& name : flags.redact) {
    if (std::ranges::find(kClasses, name) == kClasses.end())
      throw value.must_be("a list of secrets, personal and infrastructure, or none");
  }
}

constexpr std::array kKeys{
    Key{"model", [](Flags& f, const yaml::Field& v, const Origin& o) { f.model = model_of(v, o); }},
    Key{"judge_model",
        [](Flags& f, const yaml::Field& v, const Origin& o) { f.judge_model = model_of(v, o); }},
    Key{"reflector_model", [](Flags& f, const yaml::Field& v,
                              const Origin& o) { f.reflector_model = model_of(v, o); }},
    Key{"base_url", [](Flags& f, const yaml::Field& v, const Origin&) { f.base_url = v.text(); },
        false},
    Key{"api_key_file",
        [](Flags& f, const yaml::Field& v, const Origin& o) {
          f.api_key_file = file_of(v, v.text(), o);
        },
        false},
    Key{"temperature",
        [](Flags& f, const yaml::Field& v, const Origin&) { f.temperature = v.number(0, 2); }},
    Key{"max_tokens", [](Flags& f, const yaml::Field& v,
                         const Origin&) { f.max_tokens = std::to_string(v.count(1)); }},
    Key{"seed", [](Flags& f, const yaml::Field& v,
                   const Origin&) { f.seed = static_cast<std::uint64_t>(v.whole(0)); }},
    Key{"attempts", [](Flags& f, const yaml::Field& v,
                       const Origin&) { f.attempts = static_cast<int>(v.whole(1, 1'000'000)); }},
    Key{"threshold",
        [](Flags& f, const yaml::Field& v, const Origin&) { f.threshold = v.number(0, 1); }},
    Key{"check", [](Flags& f, const yaml::Field& v, const Origin&) { f.checks = texts(v); }, false},
    Key{"schema", [](Flags& f, const yaml::Field& v,
                     const Origin& o) { f.schema_file = file_of(v, v.text(), o); }},
    Key{"judge", [](Flags& f, const yaml::Field& v, const Origin&) { f.judge = v.text(); }},
    Key{"regex", [](Flags& f, const yaml::Field& v, const Origin&) { f.regex = v.text(); }},
    Key{"stop", set_stop},
    Key{"sandbox", set_sandbox, false},
    Key{"select", set_select},
    Key{"profile",
        [](Flags& f, const yaml::Field& v, const Origin&) {
          task::TaskFile none;
          if (!task::apply_profile(none, v.text())) {
            throw v.must_be("default, protocol, loomflow or paper");
          }
          f.profile = v.text();
        }},
    Key{"escalate", [](Flags& f, const yaml::Field& v, const Origin&) { f.escalate = v.text(); },
        false},
    Key{"tokens", [](Flags& f, const yaml::Field& v,
                     const Origin&) { f.tokens = std::to_string(v.count(1)); }},
    Key{"time", [](Flags& f, const yaml::Field& v,
                   const Origin&) { f.time = fmt::format("{}s", to_seconds(v.duration())); }},
    Key{"jobs", [](Flags& f, const yaml::Field& v,
                   const Origin&) { f.jobs = static_cast<int>(v.whole(1, 1024)); }},
    Key{"store",
        [](Flags& f, const yaml::Field& v, const Origin& o) { f.store = file_of(v, v.text(), o); }},
    Key{"lessons_dir", [](Flags& f, const yaml::Field& v,
                          const Origin& o) { f.lessons_dir = file_of(v, v.text(), o); }},
    Key{"agent", [](Flags& f, const yaml::Field& v, const Origin&) { f.agent = v.text(); }},
    Key{"tenant", [](Flags& f, const yaml::Field& v, const Origin&) { f.tenant = v.text(); }},
    Key{"seal",
        [](Flags& f, const yaml::Field& v, const Origin&) {
          if (v.text() != "originals" && v.text() != "none") throw v.must_be("originals or none");
          f.seal = v.text();
        },
        false},
    Key{"seal_key_file",
        [](Flags& f, const yaml::Field& v, const Origin& o) {
          f.seal_key_file = file_of(v, v.text(), o);
        },
        false},
    Key{"redact", set_redact, false},
    Key{"no_lessons",
        [](Flags& f, const yaml::Field& v, const Origin&) { f.no_lessons = v.boolean(); }},
    Key{"quiet", [](Flags& f, const yaml::Field& v, const Origin&) { f.quiet = v.boolean(); }},
    Key{"verbose", [](Flags& f, const yaml::Field& v, const Origin&) { f.verbose = v.boolean(); }},
};

constexpr std::array<std::string_view, 1> kLater{"usd"};

constexpr auto known_names() {
  std::array<std::string_view, kKeys.size() + kLater.size()> names{};
  std::ranges::transform(kKeys, names.begin(), &Key::name);
  std::ranges::copy(kLater, names.begin() + kKeys.size());
  return names;
}
constexpr auto kNames = known_names();

}  // namespace

void read_keys(Flags& flags, const yaml::Field& file, const Origin& origin) {
  const yaml::Fields fields = file.mapping(kNames);
  for (const std::string_view name : kLater) {
    if (const auto value = fields.find(name)) {
      throw value->error(fmt::format("`{}` is not in this version", name), "leave it out");
    }
  }
  for (const Key& key : kKeys) {
    const auto value = fields.find(key.name);
    if (!value || value->is_null()) continue;
    if (origin.owner == Owner::Project && !key.project) {
      throw not_in_a_project(*value, fmt::format("`{}`", key.name));
    }
    key.set(flags, *value, origin);
  }
}

}  // namespace hone::app
