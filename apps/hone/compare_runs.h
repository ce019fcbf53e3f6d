// Two runs beside each other: what they came to, what they cost, and what was asked otherwise.
#pragma once

#include <string>

#include "hone/base/json.h"
#include "hone/journal/record.h"

namespace hone::app {

Json compared_json(const journal::RecordedRun& left, const journal::RecordedRun& right);
// A table for people, with the differences of the tasks below.
std::string compared_text(const journal::RecordedRun& left, const journal::RecordedRun& right);

}  // namespace hone::app
