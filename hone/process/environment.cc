#include "hone/process/environment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "hone/base/error.h"

namespace hone::process {
namespace {

constexpr std::array<std::string_view, 2> kProviderKeys{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"};

void check_variable(const std::string& name, const std::string& value) {
  if (!is_variable_name(name)) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` cannot name a variable", name),
                "use letters, digits and underscores, and no digit first");
  }
  if (value.find('\0') != std::string::npos) {
    throw Error(ErrorKind::InvalidInput,
                fmt::format("the value of the variable `{}` contains a zero byte", name),
                "hand such text over in a file");
  }
}

}  // namespace

bool is_private(std::string_view name) {
  return name.starts_with("HONE_") || std::ranges::find(kProviderKeys, name) != kProviderKeys.end();
}

bool is_variable_name(std::string_view name) {
  const auto fits = [](unsigned char c) { return c == '_' || std::isalnum(c) != 0; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, fits);
}

std::vector<std::string> child_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::string name(text.substr(0, text.find('=')));
    if (!is_private(name) && !added.contains(name)) variables.emplace_back(text);
  }
  for (const auto& [name, value] : added) {
    check_variable(name, value);
    variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

}  // namespace hone::process
