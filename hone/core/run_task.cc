#include "hone/core/run_task.h"

#include <utility>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/function_roles.h"

namespace hone::core {
namespace {

async<void> run_into(Run& run, Context context, Task task, Roles roles, LoopOptions options) {
  run = co_await core::reflect(std::move(context), std::move(task), roles, std::move(options));
}

void check(const Functions& functions) {
  if (functions.generate && functions.evaluate) return;
  throw Error(ErrorKind::InvalidInput, "a run needs functions that generate and evaluate",
              "set Functions::generate and Functions::evaluate");
}

}  // namespace

Run run_task(Task task, Roles roles, LoopOptions options, Budget budget) {
  Ledger ledger(budget);
  NoEvents events;
  SystemClock clock;
  const Instant started = clock.now();
  SeededRandom random(static_cast<std::uint64_t>(started.time_since_epoch().count()));
  Context context{.run = "run"};
  context.ledger = &ledger;
  context.events = &events;
  context.clock = &clock;
  context.random = &random;
  if (budget.time) context.deadline = started + *budget.time;
  Run run;
  run_sync([&] { return run_into(run, context, std::move(task), roles, std::move(options)); });
  return run;
}

Run run_task(Task task, Functions functions, LoopOptions options, Budget budget) {
  check(functions);
  if (!functions.reflect) functions.reflect = [](const Run&) { return Reflection(); };
  if (!functions.revise) functions.revise = functions.generate;
  FunctionGenerator generator(std::move(functions.generate));
  FunctionEvaluator evaluator(std::move(functions.evaluate));
  FunctionReflector reflector(std::move(functions.reflect));
  FunctionReviser reviser(std::move(functions.revise));
  NoMemory memory;
  Roles roles{generator, evaluator, reflector, reviser, memory};
  FunctionEscalation escalation(functions.escalate);
  if (functions.escalate) roles.escalation = &escalation;
  return run_task(std::move(task), roles, std::move(options), budget);
}

}  // namespace hone::core
