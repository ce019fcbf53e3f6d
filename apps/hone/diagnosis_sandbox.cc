// What `hone doctor` finds where checks written as code run.
#include <fmt/format.h>

#include <vector>

#include "apps/hone/diagnosis.h"
#include "hone/base/text.h"
#include "hone/sandbox/sandbox.h"

namespace hone::app {
namespace {

constexpr core::Language kLanguages[] = {core::Language::Python, core::Language::Lua,
                                         core::Language::Prolog};

}  // namespace

Finding diagnose_sandbox() {
  sandbox::Sandbox sandbox;
  std::vector<std::string> here;
  std::vector<std::string> absent;
  std::string missing;
  for (const core::Language language : kLanguages) {
    const sandbox::Protection protection = sandbox.protection(language);
    const std::string name(core::to_string(language));
    if (protection.version.empty()) {
      absent.push_back(name);
    } else {
      here.push_back(name + " " + protection.version);
      missing = protection.missing;
    }
  }
  const std::string walls = missing.empty() ? "landlock, seccomp and limits" : "without " + missing;
  Finding finding{"sandbox", Health::Ok, fmt::format("{}; {}", join(here, ", "), walls), ""};
  if (!absent.empty()) {
    finding.detail += fmt::format("; built without {}", join(absent, ", "));
    finding.health = Health::Warn;
    finding.hint = "run ./setup and build again for the languages that are off";
  }
  if (!missing.empty()) {
    finding.health = Health::Warn;
    finding.hint =
        "checks that are code are refused here unless --sandbox=weak; use a kernel with all of it";
  }
  return finding;
}

}  // namespace hone::app
