// Lua in a worker.
#include <cmath>
#include <cstring>
#include <lua.hpp>
#include <nlohmann/json.hpp>

#include "apps/worker/language.h"
#include "apps/worker/lua_json.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::worker {
namespace {

constexpr const char* kChunk = "=check";

struct Close {
  void operator()(lua_State* state) const { lua_close(state); }
};
using State = std::unique_ptr<lua_State, Close>;

// Files, processes and native libraries are out of reach anyway; without their functions the code
// hears a clear "attempt to call a nil value".
void open_libraries(lua_State* state) {
  constexpr luaL_Reg kLibraries[] = {
      {LUA_GNAME, luaopen_base},        {LUA_TABLIBNAME, luaopen_table},
      {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
      {LUA_UTF8LIBNAME, luaopen_utf8},  {LUA_COLIBNAME, luaopen_coroutine},
      {LUA_OSLIBNAME, luaopen_os}};
  for (const luaL_Reg& library : kLibraries) {
    luaL_requiref(state, library.name, library.func, 1);
    lua_pop(state, 1);
  }
}

void remove(lua_State* state, const char* table, std::initializer_list<const char*> names) {
  lua_getglobal(state, table);
  for (const char* name : names) {
    lua_pushnil(state);
    lua_setfield(state, -2, name);
  }
  lua_pop(state, 1);
}

// load() for text only: damaged byte code can do anything to the process.
int load_text(lua_State* state) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(state, 1, &length);
  const char* name = luaL_optstring(state, 2, text);
  if (luaL_loadbufferx(state, text, length, name, "t") == LUA_OK) {
    if (!lua_isnoneornil(state, 4)) {
      lua_pushvalue(state, 4);
      lua_setupvalue(state, -2, 1);
    }
    return 1;
  }
  lua_pushnil(state);
  lua_insert(state, -2);
  return 2;
}

void add_json(lua_State* state) {
  lua_newtable(state);
  lua_pushcfunction(state, decode_json);
  lua_setfield(state, -2, "decode");
  lua_pushcfunction(state, encode_json);
  lua_setfield(state, -2, "encode");
  lua_setglobal(state, "json");
}

void prepare(lua_State* state) {
  open_libraries(state);
  remove(state, LUA_GNAME, {"dofile", "loadfile", "collectgarbage", "print"});
  remove(state, LUA_STRLIBNAME, {"dump"});
  remove(state, LUA_OSLIBNAME,
         {"execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname"});
  lua_register(state, "load", load_text);
  add_json(state);
}

int prepare_protected(lua_State* state) {
  prepare(state);
  return 0;
}

// `check:3: message` is line 3 and the message.
core::CodeResult error_from(core::CodeEnd end, std::string text) {
  core::CodeResult result{.end = end, .message = to_utf8(text)};
  constexpr std::string_view kPrefix = "check:";
  if (!text.starts_with(kPrefix)) return result;
  const std::size_t colon = text.find(':', kPrefix.size());
  if (colon == std::string::npos) return result;
  result.line = std::atoi(text.c_str() + kPrefix.size());
  result.message = to_utf8(trim(std::string_view(text).substr(colon + 1)));
  return result;
}

std::string error_text(lua_State* state) {
  std::size_t length = 0;
  const char* text = lua_tolstring(state, -1, &length);
  if (text != nullptr) return {text, length};
  return std::string("an error that is a ") + luaL_typename(state, -1);
}

// Where the token stands that a syntax error names: "… near 'end'".
std::optional<int> column_of(const core::CodeResult& error, std::string_view code) {
  const std::size_t near = error.message.rfind(" near ");
  if (near == std::string::npos || !error.line) return std::nullopt;
  const auto lines = split(code, '\n');
  if (*error.line < 1 || *error.line > static_cast<int>(lines.size())) return std::nullopt;
  const std::string& line = lines[static_cast<std::size_t>(*error.line - 1)];
  std::string_view token = std::string_view(error.message).substr(near + 6);
  if (token.size() >= 2 && token.front() == '\'') token = token.substr(1, token.size() - 2);
  const std::size_t at = token == "<eof>" ? line.size() : line.rfind(token);
  if (at == std::string::npos) return 1;
  return static_cast<int>(width(std::string_view(line).substr(0, at))) + 1;
}

void set_variables(lua_State* state, const std::string& variables) {
  const Json values = parse_json(variables);
  for (const auto& [name, value] : values.items()) {
    push_json(state, value);
    lua_setglobal(state, name.c_str());
  }
}

// What the chunk returned; else the global `result`; else a changed `output`. The original output
// is at `before`.
void push_result(lua_State* state, int before) {
  lua_settop(state, before + 1);
  if (!lua_isnil(state, -1)) return;
  lua_pop(state, 1);
  lua_getglobal(state, "result");
  if (!lua_isnil(state, -1)) return;
  lua_pop(state, 1);
  lua_getglobal(state, "output");
  if (lua_rawequal(state, -1, before) == 0) return;
  lua_pop(state, 1);
  lua_pushnil(state);
}

core::CodeResult run(lua_State* state, const core::CodeRequest& request) {
  set_variables(state, request.variables.text);
  lua_getglobal(state, "output");
  const int before = lua_gettop(state);
  if (luaL_loadbufferx(state, request.code.data(), request.code.size(), kChunk, "t") != LUA_OK) {
    core::CodeResult error = error_from(core::CodeEnd::NotCode, error_text(state));
    error.column = column_of(error, request.code);
    return error;
  }
  if (lua_pcall(state, 0, 1, 0) != LUA_OK)
    return error_from(core::CodeEnd::Raised, error_text(state));
  push_result(state, before);
  core::CodeResult result;
  if (lua_isnil(state, -1)) return result;
  try {
    result.value = JsonText{dump(json_from(state, -1))};
  } catch (const Error& failure) {
    result.message = failure.message();
  }
  return result;
}

class Lua final : public Interpreter {
 public:
  std::string version() const override {
    return LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE;
  }

  core::CodeRequest sample() const override {
    core::CodeRequest request;
    request.language = core::Language::Lua;
    request.code = "local t = {#output}\nreturn t[1] == 4";
    request.variables = JsonText{R"({"output":"aaaa","state":{"output":"aaaa"}})"};
    request.trusted = true;  // Its state is closed.
    return request;
  }

  // A state of its own for each call, so that a reused worker forgets the calls before.
  core::CodeResult answer(const core::CodeRequest& request) override try {
    State state(luaL_newstate());
    if (!state) return {.end = core::CodeEnd::Died, .message = "not enough memory"};
    lua_pushcfunction(state.get(), prepare_protected);
    if (lua_pcall(state.get(), 0, 0, 0) != LUA_OK)
      return {.end = core::CodeEnd::Died, .message = error_text(state.get())};
    core::CodeResult result = run(state.get(), request);
    // Finalisers of the code have no say after its result; the process ends soon.
    if (!request.trusted) state.release();
    return result;
  } catch (const std::exception& failure) {
    return {.end = core::CodeEnd::Raised, .message = failure.what()};
  }
};

}  // namespace

std::unique_ptr<Interpreter> make_lua() { return std::make_unique<Lua>(); }

}  // namespace hone::worker
