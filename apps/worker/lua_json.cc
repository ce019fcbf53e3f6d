#include "apps/worker/lua_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::worker {
namespace {

constexpr int kDeepest = 100;

Json value_at(lua_State* state, int index, int depth);

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::InvalidInput, what);
}

void push_members(lua_State* state, const Json& value) {
  lua_Integer index = 0;
  lua_newtable(state);
  for (const auto& [key, member] : value.items()) {
    if (value.is_array()) {
      push_json(state, member);
      lua_rawseti(state, -2, ++index);
    } else {
      lua_pushlstring(state, key.data(), key.size());
      push_json(state, member);
      lua_rawset(state, -3);
    }
  }
}

// The length of a table whose keys are 1 … n; 0 for others.
lua_Integer list_length(lua_State* state, int index) {
  const auto length = static_cast<lua_Integer>(lua_rawlen(state, index));
  lua_Integer count = 0;
  lua_pushnil(state);
  while (lua_next(state, index) != 0) {
    lua_pop(state, 1);
    ++count;
  }
  return count == length ? length : 0;
}

std::string key_at(lua_State* state, int index) {
  if (lua_type(state, index) == LUA_TSTRING) {
    std::size_t length = 0;
    const char* text = lua_tolstring(state, index, &length);
    return to_utf8({text, length});
  }
  if (lua_isinteger(state, index) != 0) return std::to_string(lua_tointeger(state, index));
  refuse(fmt::format("a table with a {} as key", luaL_typename(state, index)));
}

Json table_at(lua_State* state, int index, int depth) {
  if (depth > kDeepest || lua_checkstack(state, 8) == 0) refuse("a table nested too deeply");
  const lua_Integer length = list_length(state, index);
  Json value = length > 0 ? Json::array() : Json::object();
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(state, index, i);
    value.push_back(value_at(state, lua_gettop(state), depth + 1));
    lua_pop(state, 1);
  }
  if (length > 0) return value;
  lua_pushnil(state);
  while (lua_next(state, index) != 0) {
    value[key_at(state, lua_gettop(state) - 1)] = value_at(state, lua_gettop(state), depth + 1);
    lua_pop(state, 1);
  }
  return value;
}

Json number_at(lua_State* state, int index) {
  if (lua_isinteger(state, index) != 0) return Json(std::int64_t{lua_tointeger(state, index)});
  const double number = lua_tonumber(state, index);
  if (!std::isfinite(number)) refuse("a number that is not finite");
  return Json(number);
}

Json value_at(lua_State* state, int index, int depth) {
  switch (lua_type(state, index)) {
    case LUA_TNIL:
      return Json(nullptr);
    case LUA_TBOOLEAN:
      return Json(lua_toboolean(state, index) != 0);
    case LUA_TNUMBER:
      return number_at(state, index);
    case LUA_TSTRING:
      return Json(key_at(state, index));
    case LUA_TTABLE:
      return table_at(state, index, depth);
    default:
      refuse(fmt::format("a {}", luaL_typename(state, index)));
  }
}

// lua_error does not unwind: nothing with a destructor may be alive when it is called.
std::string pushed_or_problem(lua_State* state, bool decode) try {
  std::size_t length = 0;
  if (decode) {
    const char* text = lua_tolstring(state, 1, &length);
    if (text == nullptr) return "json.decode wants a string";
    push_json(state, parse_json({text, length}));
  } else {
    const std::string text = dump(json_from(state, 1));
    lua_pushlstring(state, text.data(), text.size());
  }
  return {};
} catch (const Error& failure) {
  return failure.message();
}

int convert(lua_State* state, bool decode) {
  {
    const std::string problem = pushed_or_problem(state, decode);
    if (problem.empty()) return 1;
    lua_pushlstring(state, problem.data(), problem.size());
  }
  return lua_error(state);
}

}  // namespace

void push_json(lua_State* state, const Json& value) {
  luaL_checkstack(state, 8, "values are nested too deeply");
  if (value.is_structured()) {
    push_members(state, value);
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    lua_pushlstring(state, text.data(), text.size());
  } else if (value.is_boolean()) {
    lua_pushboolean(state, value.get<bool>() ? 1 : 0);
  } else if (value.is_number_integer()) {
    lua_pushinteger(state, value.get<lua_Integer>());
  } else if (value.is_number()) {
    lua_pushnumber(state, value.get<double>());
  } else {
    lua_pushnil(state);
  }
}

Json json_from(lua_State* state, int index) {
  return value_at(state, lua_absindex(state, index), 0);
}

int decode_json(lua_State* state) { return convert(state, true); }
int encode_json(lua_State* state) { return convert(state, false); }

}  // namespace hone::worker
