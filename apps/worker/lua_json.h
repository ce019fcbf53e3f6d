// JSON and Lua values.
#pragma once

#include <lua.hpp>

#include "hone/base/json.h"

namespace hone::worker {

// Objects and lists become tables, null becomes nil.
void push_json(lua_State* state, const Json& value);
// A table with the keys 1 … n is a list, others are objects; an empty one is an object. Throws
// InvalidInput for functions and other values that JSON has not, for numbers that are not finite,
// and for tables nested too deeply.
Json json_from(lua_State* state, int index);

// json.decode(text) and json.encode(value) of the code; errors are Lua errors.
int decode_json(lua_State* state);
int encode_json(lua_State* state);

}  // namespace hone::worker
