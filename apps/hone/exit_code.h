// What the process ends with, and how failures are told.
#pragma once

#include "hone/base/error.h"
#include "hone/core/run.h"

namespace hone::app {

inline constexpr int kDone = 0;
inline constexpr int kFailure = 1;  // Something broke.
inline constexpr int kUsage = 2;    // The command or a file is wrong.
inline constexpr int kBudget = 3;   // Tokens, money or calls ran out.
inline constexpr int kNotGoodEnough = 100;
inline constexpr int kDeadline = 124;
inline constexpr int kInterrupted = 130;

int exit_code_of(const core::Run& run);
// The worse of two codes of runs: 1, 130, 3, 124, 100, 0.
int worse(int left, int right);
// Of a command that could not even begin its work.
int exit_code_of(const Error& error);

// "hone: message" and the hint below, on stderr.
void tell(const Error& error);

}  // namespace hone::app
