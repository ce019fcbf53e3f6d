#include "hone/reflect/guided.h"

#include "hone/prompt/prompts.h"

namespace hone::reflect {

core::Run Guided::guided(const core::Context& context, const core::Run& run) const {
  core::Run copy = run;
  if (context.attempt >= from_) copy.task.prompt = prompt::with_guidance(run.task, guidance_);
  return copy;
}

async<core::Output> Guided::generate(core::Context context, const core::Run& run) {
  const core::Run seen = guided(context, run);
  co_return co_await generator_.generate(context, seen);
}

async<core::Output> Guided::revise(core::Context context, const core::Run& run) {
  const core::Run seen = guided(context, run);
  co_return co_await reviser_.revise(context, seen);
}

}  // namespace hone::reflect
