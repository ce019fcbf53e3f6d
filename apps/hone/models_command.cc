// hone models: what can be reached, and fetching a local model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/weights.h"
#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/model/catalogue.h"
#include "hone/model/spec.h"

namespace hone::app {
namespace {

// A provider whose models are named by the user, and the variable that holds its key.
struct Server {
  std::string_view name;
  const char* key;
};
constexpr std::array kServers{Server{"openai", "OPENAI_API_KEY"},
                              Server{"anthropic", "ANTHROPIC_API_KEY"}};

bool is_known(const Server& server) {
  try {
    model::parse_spec(std::string(server.name) + ":x");
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool has_key(const Server& server) {
  const char* value = std::getenv(server.key);
  return value != nullptr && *value != '\0';
}

Json to_json(const model::CatalogueModel& model, bool is_default) {
  return {{"name", "local:" + model.name},
          {"title", model.title},
          {"here", are_here(model)},
          {"bytes", model.bytes},
          {"licence", model.licence},
          {"context", model.context},
          {"kind", model.kind == model::ModelKind::Chat ? "chat" : "embedding"},
          {"default", is_default}};
}

void print_json(const model::Catalogue& catalogue) {
  Json rows = Json::array();
  for (const model::CatalogueModel& model : catalogue.models) {
    rows.push_back(to_json(model, model.name == catalogue.default_name));
  }
  for (const Server& server : kServers) {
    if (!is_known(server)) continue;
    rows.push_back({{"name", fmt::format("{}:NAME", server.name)},
                    {"here", has_key(server)},
                    {"key", server.key},
                    {"key_is_set", has_key(server)}});
  }
  for (const char* name : {"http://HOST/v1#NAME", "command:CMD", "scripted:FILE"}) {
    rows.push_back({{"name", name}, {"here", true}});
  }
  fmt::print("{}\n", dump_pretty(rows));
}

// What is chosen where nothing is said.
std::string_view mark_of(const model::CatalogueModel& model, const model::Catalogue& catalogue) {
  if (model.name == catalogue.default_name) return "  (default)";
  return &model == catalogue.embedding() ? "  (finds lessons)" : "";
}

void print_table(const model::Catalogue& catalogue) {
  for (const model::CatalogueModel& model : catalogue.models) {
    fmt::print("{:<26} {:>6.0f} MB  {:<12} {}{}\n", "local:" + model.name,
               static_cast<double>(model.bytes) / 1e6, model.licence,
               are_here(model) ? "here" : "not here: hone models pull " + model.name,
               mark_of(model, catalogue));
  }
  for (const Server& server : kServers) {
    if (!is_known(server)) continue;
    fmt::print("{:<26} {}\n", fmt::format("{}:NAME", server.name),
               has_key(server) ? fmt::format("the key is set ({})", server.key)
                               : fmt::format("no key: set {}", server.key));
  }
  fmt::print("{:<26} any server that speaks the OpenAI API\n", "http://HOST/v1#NAME");
  fmt::print("{:<26} a process: prompt on stdin, output on stdout\n", "command:CMD");
  fmt::print("{:<26} replies from a file, for tests\n", "scripted:FILE");
}

int list(bool json) {
  const model::Catalogue catalogue = model::built_in_catalogue();
  if (json) {
    print_json(catalogue);
  } else {
    print_table(catalogue);
  }
  return kDone;
}

int pull(const std::string& name) {
  const auto path = fetch_weights(model::built_in_catalogue().get(name));
  fmt::print("{}\n", path.string());
  return kDone;
}

}  // namespace

void add_models_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("models", "Models that can be reached, and fetching a local one");
  command->footer("Example:\n  hone models");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([=, &chosen] {
    if (!chosen) chosen = [=] { return list(*json); };
  });
  CLI::App* fetch =
      command->add_subcommand("pull", "Fetch the weights of a model, checked by hash");
  fetch->footer("Example:\n  hone models pull smollm2-135m");
  const auto name = std::make_shared<std::string>();
  fetch->add_option("NAME", *name, "Name of the model; the default one if left out");
  fetch->callback([=, &chosen] { chosen = [=] { return pull(*name); }; });
}

}  // namespace hone::app
