// The parts `model:` and `sampling:` of a task file: who does what, and how.
#pragma once

#include <map>
#include <string>

#include "hone/core/effects.h"
#include "hone/yaml/field.h"

namespace hone::task {

// Specs of models by role; one for all stands under Generate. Throws InvalidInput at the place of a
// spec that is none.
std::map<core::Role, std::string> read_models(const yaml::Field& field);

// Sampling by role; what is set for no role in particular is for those that write outputs.
std::map<core::Role, core::Sampling> read_sampling(const yaml::Field& field);

}  // namespace hone::task
