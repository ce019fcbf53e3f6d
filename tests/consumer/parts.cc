// Uses what reaches into the other libraries: YAML, templates, JSON Schema, PCRE2, HTTP, and the
// program that runs code.
#include <hone/base/error.h>
#include <hone/model/local_engine.h>
#include <hone/sandbox/sandbox.h>
#include <hone/task/task_file.h>

#include <iostream>
#include <string>

int main() {
  const std::string text =
      "task: 'Say {{ input.word | upper }}'\n"
      "input: {word: hello}\n"
      "check:\n"
      "  - regex: '^HELLO'\n"
      "  - schema: {type: string, minLength: 5}\n";
  const hone::task::TaskFile file = hone::task::parse_task_file(text, "task.yaml", "");
  std::cout << file.task.prompt << ", " << file.checks.size() << " checks\n";

  hone::sandbox::Sandbox sandbox({.program = HONE_WORKER});
  hone::core::CodeRequest request;
  request.language = hone::core::Language::Lua;
  request.code = "return 6 * 7";
  std::cout << "Lua says " << sandbox.run_here(request).value.value().text << "\n";

  if (std::string(HONE_LOCAL_PLUGIN).empty()) return 0;  // Built without a local model.
  try {
    hone::model::open_local_engine(HONE_LOCAL_PLUGIN);
    std::cout << "the engine of the local model loads\n";
  } catch (const hone::Error& error) {
    std::cout << error.message() << "\n";
    return 1;
  }
}
