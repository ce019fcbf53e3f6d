// A program for the crash test: runs scripted loops with a journal until it is killed, and tells
// on stdout, one line each, what a reader of the store must find afterwards.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "hone/journal/run_id.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

// Tells of an attempt as soon as a later effect is on the disk.
class Telling final : public core::Model {
 public:
  Telling(core::Model& model, std::string run) : model_(model), run_(std::move(run)) {}
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    core::ModelReply answer = co_await model_.complete(context, request);
    // What was asked for a revision is durable, so is the evaluation before it.
    if (request.role == core::Role::Revise) tell(request.attempt - 1);
    co_return answer;
  }
  std::string name() const override { return model_.name(); }

 private:
  void tell(int attempts) {
    const std::string line = run_ + " " + std::to_string(attempts) + "\n";
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::abort();
  }

  core::Model& model_;
  std::string run_;
};

core::ModelReply never_good(const core::ModelRequest& request) {
  if (request.role == core::Role::Evaluate) return reply("0.1");
  return reply("text of attempt " + std::to_string(request.attempt) + std::string(300, '.'));
}

async<void> run_forever(Recording& recording, core::Model& told, Clock& clock, std::string id) {
  ModelRoles roles(told);
  core::NoMemory memory;
  core::Ledger ledger;
  core::SeededRandom random(1);
  core::NoEvents nobody;
  Recorder recorder(recording, nobody);
  core::Context context;
  context.run = id;
  context.ledger = &ledger;
  context.events = &recorder;
  context.clock = &clock;
  context.random = &random;
  core::Task task;
  task.prompt = "Write a memo.";
  core::LoopOptions options;
  options.stop.attempts = 1'000'000;
  options.stop.when.plateau.reset();
  options.stop.when.duplicate.reset();
  const core::Run unused = co_await core::reflect(context, task, roles.roles(memory), options);
}

int run(const char* path, const char* id) {
  Journal journal({.path = path});
  const auto recording = Recording::record(journal, header_of(id));
  FakeModel model(never_good);
  JournaledModel journaled(*recording, model);
  Telling telling(journaled, id);
  SteppingClock clock;
  run_sync([&] { return run_forever(*recording, telling, clock, id); });
  return 0;
}

}  // namespace
}  // namespace hone::journal

int main(int count, char** arguments) {
  return count == 3 ? hone::journal::run(arguments[1], arguments[2]) : 2;
}
