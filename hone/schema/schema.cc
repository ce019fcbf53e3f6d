#include "hone/schema/schema.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/schema/apply.h"
#include "hone/schema/bundle.h"
#include "hone/schema/compile.h"
#include "hone/schema/demand.h"

namespace hone::schema {
namespace {

// Takes the documents out of a bundle.
void unpack(Json& tree, SchemaOptions& options) {
  const auto bundle = tree.is_object() ? tree.find(kBundle) : tree.end();
  if (bundle == tree.end() || !bundle->is_object()) return;
  options.base = bundle->value("base", options.base);
  const Json documents = bundle->value("documents", Json::object());
  for (const auto& [uri, document] : documents.items()) {
    options.documents.push_back({uri, dump(document)});
  }
  tree.erase(std::string(kBundle));
}

}  // namespace

struct Schema::State {
  std::unique_ptr<hone_schema, FreeCompiled> compiled;
  Demands demands;
};

Schema::Schema(std::string_view json_text, SchemaOptions options) {
  Json tree = parse_json(json_text);
  std::string text(json_text);
  if (tree.is_object() && tree.contains(kBundle)) {
    unpack(tree, options);
    text = dump(tree);
  }
  Compiled compiled = compile(text, options);
  if (compiled.missing) throw not_fetched(*compiled.missing, text);
  state_ = std::make_unique<State>(
      State{.compiled = std::move(compiled.schema), .demands = Demands(std::move(tree), options)});
}

Schema::~Schema() = default;
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;

Result Schema::check(std::string_view json_text) const {
  return report_on(state_->compiled.get(), json_text);
}

Coerced Schema::coerce(std::string_view json_text) const {
  parse_json(json_text);
  return coerce(JsonText{std::string(json_text)});
}

Coerced Schema::coerce(JsonText json) const {
  Mending mending(std::move(json.text), [this](std::string_view text) { return check(text); });
  while (mending.has_wrong_type() &&
         mending.try_edits(proposals(state_->demands, mending.text()))) {
  }
  return std::move(mending).coerced();
}

}  // namespace hone::schema
