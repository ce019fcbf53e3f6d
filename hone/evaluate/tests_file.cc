#include "hone/base/text.h"
#include "hone/evaluate/tests_check.h"

namespace hone::evaluate {
namespace {

// Goes on with what stands before it: indented, empty, or a bracket that closes.
bool continues(std::string_view line) {
  return line.empty() || line.find_first_of(" \t)]}\r") == 0;
}

std::vector<std::string> statements_in(std::string_view text) {
  std::vector<std::string> statements;
  bool decorated = false;
  for (const std::string& line : split(text, '\n')) {
    if (statements.empty() || (!continues(line) && !decorated)) {
      statements.push_back(line);
    } else {
      statements.back() += "\n" + line;
    }
    decorated = line.starts_with('@') || (decorated && line.starts_with('#'));
  }
  return statements;
}

// The name of a function that tests; empty for others.
std::string tested_by(std::string_view statement) {
  constexpr std::string_view kStart = "def test";
  if (!statement.starts_with(kStart)) return {};
  const std::size_t end = statement.find('(');
  // A parameter is a fixture that nobody fills here.
  const bool plain = end != std::string_view::npos && statement.substr(end).starts_with("()");
  return plain ? std::string(statement.substr(4, end - 4)) : std::string();
}

}  // namespace

TestFile tests_in_file(std::string_view text) {
  TestFile file;
  for (const std::string& statement : statements_in(text)) {
    const std::string function = tested_by(statement);
    const std::string whole(trim(statement));
    if (!function.empty()) {
      file.tests.push_back(whole + "\n" + function + "()");
    } else if (statement.starts_with("assert ") || statement.starts_with("assert(")) {
      file.tests.push_back(whole);
    } else if (!whole.empty()) {
      file.setup += statement + "\n";
    }
  }
  if (file.tests.empty()) return {"", {std::string(text)}};
  return file;
}

}  // namespace hone::evaluate
