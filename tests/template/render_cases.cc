// Renders templates for tests/template/against_jinja2.py: cases from stdin, results to stdout.
//
// In:  [{"template": text, "context": object, "own_lines": bool}]
// Out: [{"text": …} or {"error": message}]
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/template/template.h"

namespace {

hone::Json result_of(const hone::Json& item) {
  using hone::templates::Blocks;
  const Blocks blocks = item.at("own_lines").get<bool>() ? Blocks::OwnLines : Blocks::AsWritten;
  try {
    const hone::templates::Template compiled("case", item.at("template").get<std::string>(),
                                             {.blocks = blocks});
    return {{"text", compiled.render(hone::dump(item.at("context")))}};
  } catch (const hone::Error& error) {
    return {{"error", error.message()}};
  }
}

}  // namespace

int main() {
  const std::string input(std::istreambuf_iterator<char>(std::cin), {});
  hone::Json results = hone::Json::array();
  for (const hone::Json& item : hone::parse_json(input)) results.push_back(result_of(item));
  std::cout << hone::dump(results) << "\n";
}
