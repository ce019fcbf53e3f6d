// What the tests of this folder share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hone/base/json.h"
#include "hone/sandbox/sandbox.h"

namespace hone::sandbox {

inline constexpr core::Language kLanguages[] = {core::Language::Python, core::Language::Lua,
                                                core::Language::Prolog};

// One for all tests of the program: honest calls after attacks meet what the attacks left.
inline Sandbox& sandbox() {
  static Sandbox* const shared = new Sandbox({.program = HONE_WORKER});
  return *shared;
}

inline core::CodeRequest request_for(core::Language language, std::string code) {
  core::CodeRequest request;
  request.language = language;
  request.code = std::move(code);
  request.variables = JsonText{
      R"({"output":"aaaa","state":{"n":7,"output":"aaaa"},"reflection_output":"aaaa",)"
      R"("reflection_errors":[],"reflection_iteration":2,"reflection_history":[]})"};
  return request;
}

inline core::CodeResult called(core::Language language, std::string code) {
  return sandbox().run_here(request_for(language, std::move(code)));
}

inline std::string canonical(const std::string& json) { return dump_canonical(parse_json(json)); }

}  // namespace hone::sandbox
