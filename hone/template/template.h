// Jinja2 templates: text with {{ expressions }} and {% statements %}, rendered with JSON values.
//
// The language is Jinja2 3 as documented at jinja.palletsprojects.com, for plain text: nothing is
// escaped, a single trailing newline of the template is dropped, an undefined name is an error
// wherever Jinja2's StrictUndefined makes it one (test with `is defined`, or give a `default`).
// Beyond Jinja2: `fromjson`, and `tojson` gives plain JSON (`<` stays `<`) with keys in their own
// order. Not there: `include` and `import` of other templates, `random` and `lipsum` (a replay must
// give the same text), `%` on strings (use `format`). tests/template/ lists every other difference.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hone/base/json.h"

struct hone_template;

namespace hone::templates {

// What happens to the white space round block tags.
enum class Blocks {
  AsWritten,  // Jinja2's default.
  OwnLines,   // trim_blocks and lstrip_blocks: a line with only a block tag leaves no trace. For
              // prompt files.
};

struct TemplateOptions {
  Blocks blocks = Blocks::AsWritten;
  // How many instructions one rendering may execute; a million take about 30 ms. Ends endless
  // loops and runaway recursion, not the memory that a template may ask for.
  std::uint64_t fuel = 10'000'000;
};

// A variable with its value: text, a flag, a list of texts, or any other value as JSON. Refers to
// what it was made of. What is not UTF-8 in a text becomes U+FFFD.
struct Variable {
  std::string_view name;
  std::variant<std::string_view, bool, std::span<const std::string>, const JsonText*> value;
};

// A compiled template. Immutable: any number of threads may render it at once.
class Template {
 public:
  // `name` is for messages: a file name or "task". Throws InvalidInput with name and line if the
  // source is not a template. Unknown filters and tests show when they are reached.
  Template(std::string name, std::string_view source, const TemplateOptions& options = {});
  ~Template();
  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;

  // The text for a context, which is a JSON object: its keys are the template's variables. Throws
  // InvalidInput with name and line for an undefined value, a wrong operand, no JSON, or when the
  // fuel is used up.
  std::string render(std::string_view context_json) const;

  // The same for a context that is not written as JSON yet: less than half the work.
  std::string render(std::span<const Variable> variables) const;

  // The names that the template takes from its context, sorted; send no more than these.
  std::vector<std::string> undeclared_variables() const;

  const std::string& name() const { return name_; }

 private:
  struct Free {
    void operator()(hone_template* compiled) const;
  };

  std::string name_;
  std::unique_ptr<hone_template, Free> compiled_;
};

}  // namespace hone::templates
