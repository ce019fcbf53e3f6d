// The warm process that workers are forked from.
#pragma once

#include "apps/worker/language.h"

namespace hone::worker {

// Serves the control socket until the engine closes it; workers die with the zygote. The first
// message on it says what there is: {"language", "version", "missing"}. Returns the exit code.
int serve(Interpreter& interpreter, core::Language language);

// Says on the control socket why there is no zygote.
void say_unsupported(core::Language language);

}  // namespace hone::worker
