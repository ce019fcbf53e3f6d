// Writes values as YAML that people read and that differs line by line.
#pragma once

#include <string>

#include "hone/base/json.h"

namespace hone::yaml {

// Block style; text of several lines stands as it is below its key (`|`), where YAML can carry it
// so, and in quotes otherwise. parse() and to_json() give an equal value back, but for whole
// numbers beyond 64 bits with a sign, which become doubles. Equal values give equal text.
std::string write(const Json& value);

}  // namespace hone::yaml
