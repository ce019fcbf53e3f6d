// What the tests of this folder share.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
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
  request.variables =
      JsonText{R"({"output":"aaaa","state":{"n":7,"output":"aaaa"},"reflection_output":"aaaa",)"
               R"("reflection_errors":[],"reflection_iteration":2,"reflection_history":[]})"};
  return request;
}

inline core::CodeResult called(core::Language language, std::string code) {
  return sandbox().run_here(request_for(language, std::move(code)));
}

// Processes called hone-worker whose parent is this one; zombies too.
inline std::set<int> workers_below(int parent) {
  std::set<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (!std::getline(file, line) || line.find("(hone-worker)") == std::string::npos) continue;
    if (std::atoi(line.c_str() + line.rfind(')') + 4) == parent)
      found.insert(std::atoi(entry.path().filename().c_str()));
  }
  return found;
}

inline std::string canonical(const std::string& json) { return dump_canonical(parse_json(json)); }

inline bool honest_call_succeeds(Sandbox& sandbox, core::Language language, bool trusted) {
  const bool prolog = language == core::Language::Prolog;
  core::CodeRequest request =
      request_for(language, prolog ? "valid :- output(\"aaaa\")." : "return output == 'aaaa'");
  request.trusted = trusted;
  request.limits.timeout = std::chrono::seconds(10);
  request.limits.memory = 128ULL << 20;
  const core::CodeResult result = sandbox.run_here(request);
  return result.value && canonical(result.value->text) == (prolog ? R"({"valid":true})" : "true");
}

}  // namespace hone::sandbox
