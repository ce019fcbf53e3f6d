// Counts what a call has cost, and warns before the budget is at its end.
#pragma once

#include "hone/core/context.h"
#include "hone/core/usage.h"

namespace hone::core {

// Settles the usage with the ledger of the context, if it has one. When the first limit of the run
// (tokens, money, calls or time) reaches 80 %, all listeners hear a BudgetWarning, once a run.
void spend(const Context& context, Role role, const Usage& usage);

}  // namespace hone::core
