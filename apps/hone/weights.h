// Fetching the weights of local models, seen from a terminal.
#pragma once

#include <filesystem>

#include "hone/model/catalogue.h"

namespace hone::app {

// Whether the file of the weights is here, by its size.
bool are_here(const model::CatalogueModel& model);

// Fetches the weights with progress on stderr; Ctrl-C ends it, and what came whole is kept. Throws
// what model::pull throws.
std::filesystem::path fetch_weights(const model::CatalogueModel& model);

// Asks on a terminal whether weights that are not here should be fetched, and does it. Does nothing
// when they are here, when stdin or stderr is no terminal, or when the answer is not yes.
void offer_weights(const model::CatalogueModel& model);

}  // namespace hone::app
