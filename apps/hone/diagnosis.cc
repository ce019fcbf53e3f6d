#include "apps/hone/diagnosis.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>

#include "apps/hone/configuration.h"
#include "apps/hone/store.h"
#include "apps/hone/terminal.h"
#include "apps/hone/weights.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/journal/run_store.h"
#include "hone/model/local_embedder.h"
#include "hone/model/local_engine.h"
#include "hone/model/weights.h"
#include "hone/net/curl_library.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

constexpr double kGigabyte = 1e9;
constexpr double kLittleRoom = 1.0;  // GB: less is worth a warning,
constexpr double kNoRoom = 0.05;     // and less than this stops runs.

// The folder itself, or the nearest above it that exists.
fs::path existing(fs::path folder) {
  std::error_code failure;
  while (!folder.empty() && !fs::exists(folder, failure) && folder != folder.root_path()) {
    folder = folder.parent_path();
  }
  return folder.empty() ? fs::path(".") : folder;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

Finding configuration_of(Flags& flags) {
  try {
    const Configuration configuration = read_configuration();
    flags.defaults = std::make_shared<const Flags>(configuration.flags);
    std::vector<std::string> files;
    for (const fs::path& file : configuration.files) files.push_back(file.string());
    if (files.empty())
      return {"configuration", Health::Ok, "no file was found, none is needed", ""};
    return {"configuration", Health::Ok, "read " + join(files, ", then "), ""};
  } catch (const Error& error) {
    return {"configuration", Health::Fail, error.message(), error.hint()};
  }
}

Finding store(const Flags& flags) {
  const std::string path = store_path(flags);
  std::error_code failure;
  if (!fs::exists(path, failure)) {
    const fs::path folder = existing(fs::path(path).parent_path());
    if (access(folder.c_str(), W_OK) == 0) {
      return {"store", Health::Ok, path + ", which the first run makes", ""};
    }
    return {"store", Health::Fail, folder.string() + " cannot be written",
            "name another store: --store FILE or HONE_STORE"};
  }
  const auto runs = journal::RunStore(path).list().size();
  if (access(path.c_str(), W_OK) != 0) {
    return {"store", Health::Fail, path + " cannot be written",
            "change its rights, or name another: --store FILE"};
  }
  return {"store", Health::Ok, fmt::format("{}, {} {}", path, runs, runs == 1 ? "run" : "runs"),
          ""};
}

Finding disk(const Flags& flags) {
  const fs::path folder = existing(fs::path(store_path(flags)).parent_path());
  const double free = static_cast<double>(fs::space(folder).available) / kGigabyte;
  const std::string found = fmt::format("{:.1f} GB free in {}", free, folder.string());
  if (free > kLittleRoom) return {"disk", Health::Ok, found, ""};
  return {"disk", free > kNoRoom ? Health::Warn : Health::Fail, found,
          "make room, or name a store on another disk: --store FILE"};
}

Finding engine(const Flags&) {
  try {
    const auto opened = model::open_local_engine();
    return {"engine", Health::Ok, "of the local model, by way of " HONE_ENGINE_WAY, ""};
  } catch (const Error& error) {
    return {"engine", Health::Warn, error.message(), error.hint()};
  }
}

Finding weights(const Flags&) {
  const model::CatalogueModel model = model::built_in_catalogue().get("");
  const fs::path file = model::models_folder() / model.file;
  if (are_here(model)) return {"weights", Health::Ok, "local: " + file.string(), ""};
  std::error_code failure;
  if (fs::exists(file, failure)) {
    return {"weights", Health::Fail, file.string() + " has not the size it should have",
            "move it away, then: hone models pull " + model.name};
  }
  return {"weights", Health::Warn,
          fmt::format("the default local model, {}, is not here", model.name),
          fmt::format("fetch it ({:.1f} GB): hone models pull {}",
                      static_cast<double>(model.bytes) / kGigabyte, model.name)};
}

// What finds lessons again; words alone are enough to work with.
Finding embedding(const Flags&) {
  const model::Catalogue catalogue = model::built_in_catalogue();
  const model::CatalogueModel* model = catalogue.embedding();
  if (model == nullptr) return {"lessons", Health::Ok, "found by their words", ""};
  const fs::path file = model::models_folder() / model->file;
  if (model::find_local_embedder(catalogue, {}) != nullptr)
    return {"lessons", Health::Ok, "found by their meaning: " + file.string(), ""};
  std::error_code failure;
  if (fs::exists(file, failure) && !are_here(*model)) {
    return {"lessons", Health::Warn, file.string() + " has not the size it should have",
            "move it away, then: hone models pull " + model->name};
  }
  return {"lessons", Health::Ok,
          fmt::format("found by their words; `hone models pull {}` ({} MB) finds them by meaning",
                      model->name, model->bytes / 1'000'000),
          ""};
}

Finding key(const char* variable, std::string_view provider) {
  const std::string name = fmt::format("key of {}", provider);
  if (is_set(variable)) return {name, Health::Ok, fmt::format("{} is set", variable), ""};
  return {name, Health::Ok, fmt::format("{} is not set", variable), ""};
}

Finding key_file(const Flags& flags) {
  const std::string file = flags.defaults ? flags.defaults->api_key_file : "";
  if (file.empty()) return {"key file", Health::Ok, "none is configured", ""};
  struct stat facts{};
  if (stat(file.c_str(), &facts) != 0) {
    return {"key file", Health::Fail, file + " cannot be read", "correct `api_key_file`"};
  }
  if ((facts.st_mode & 077) != 0) {
    return {"key file", Health::Fail, "others can read " + file, "run: chmod 600 " + file};
  }
  return {"key file", Health::Ok, file + ", which only you can read", ""};
}

Finding servers(const Flags&) {
  try {
    net::curl_library();
    return {"servers", Health::Ok, "libcurl is here", ""};
  } catch (const Error& error) {
    return {"servers", Health::Warn, error.message(), error.hint()};
  }
}

Finding terminal(const Flags&) {
  const Terminal found = Terminal::of_stderr();
  if (!found.is_terminal) {
    return {"terminal", Health::Ok, "stderr is none, or a dumb one: progress comes as lines", ""};
  }
  return {"terminal", Health::Ok,
          fmt::format("{} columns, {}", found.columns(), found.colours ? "colours" : "no colours"),
          ""};
}

Finding sandbox(const Flags&) { return diagnose_sandbox(); }

// A check that cannot even look is a finding too.
Finding looked(const char* name, const std::function<Finding(const Flags&)>& look,
               const Flags& flags) {
  try {
    return look(flags);
  } catch (...) {
    const Error error = to_error(std::current_exception());
    return {name, Health::Fail, error.message(), error.hint()};
  }
}

}  // namespace

std::string_view to_string(Health health) {
  switch (health) {
    case Health::Ok:
      return "ok";
    case Health::Warn:
      return "warn";
    case Health::Fail:
      return "fail";
  }
  return "";
}

std::vector<Finding> diagnose(Flags flags) {
  std::vector<Finding> findings{{"version", Health::Ok, "hone " HONE_VERSION, ""}};
  findings.push_back(configuration_of(flags));
  if (flags.store.empty() && flags.defaults) flags.store = flags.defaults->store;
  findings.push_back(looked("store", store, flags));
  findings.push_back(looked("disk", disk, flags));
  findings.push_back(looked("engine", engine, flags));
  findings.push_back(looked("weights", weights, flags));
  findings.push_back(looked("lessons", embedding, flags));
  findings.push_back(key("OPENAI_API_KEY", "openai"));
  findings.push_back(key("ANTHROPIC_API_KEY", "anthropic"));
  findings.push_back(looked("key file", key_file, flags));
  findings.push_back(looked("servers", servers, flags));
  findings.push_back(looked("terminal", terminal, flags));
  findings.push_back(looked("sandbox", sandbox, flags));
  return findings;
}

}  // namespace hone::app
