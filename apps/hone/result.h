// Prints what a run came to.
#pragma once

#include <string>

#include "hone/core/json_form.h"
#include "hone/core/run.h"

namespace hone::app {

// The returned output on stdout, with a newline at its end; nothing when no attempt was evaluated.
void print_output(const core::Run& run);
// The result as one line of JSON; a run that a failure ended has an `error` too.
std::string result_text(const core::Run& run, const core::ModelNames& models);
void print_json(const core::Run& run, const core::ModelNames& models);

}  // namespace hone::app
