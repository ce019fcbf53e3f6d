#include "hone/model/catalogue.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/text.h"

namespace hone::model {

extern const char* const kCatalogueText;  // Made by CMake.

namespace {

WeightsPackage to_package(const Json& json) {
  return {.name = json.at("name"), .version = json.at("version"), .sha256 = json.at("sha256")};
}

MadeBy to_way(const std::string& text) {
  if (text == "bert") return MadeBy::Bert;
  throw Error(ErrorKind::Corrupt, "weights are made by `" + text + "`, which is unknown");
}

WeightsSource to_source(const Json& json) {
  if (json.at("kind") == "file") return {.member = {}, .packages = {}, .url = json.at("url")};
  if (json.at("kind") != "packages") {
    throw Error(ErrorKind::Corrupt,
                "a source of weights is of an unknown kind " + dump(json.at("kind")));
  }
  WeightsSource source;
  source.member = json.at("member");
  if (const auto way = json.find("made_by"); way != json.end()) source.made_by = to_way(*way);
  for (const Json& package : json.at("packages")) source.packages.push_back(to_package(package));
  return source;
}

ModelKind to_kind(const std::string& text) {
  if (text == "chat") return ModelKind::Chat;
  if (text == "embedding") return ModelKind::Embedding;
  throw Error(ErrorKind::Corrupt, "`" + text + "` is no kind of model");
}

CatalogueModel to_model(const Json& json) {
  CatalogueModel model;
  model.name = json.at("name");
  model.title = json.at("title");
  model.kind = to_kind(json.at("kind"));
  model.file = json.at("file");
  model.bytes = json.at("bytes");
  model.sha256 = json.at("sha256");
  model.licence = json.at("licence");
  model.context = json.at("context");
  model.dimensions = json.value("dimensions", 0);
  for (const Json& source : json.at("sources")) model.sources.push_back(to_source(source));
  return model;
}

Catalogue to_catalogue(const Json& json) {
  if (json.at("format") != 1) {
    throw Error(ErrorKind::Corrupt, "its format is " + dump(json.at("format")) + ", not 1");
  }
  Catalogue catalogue;
  catalogue.default_name = json.at("default");
  for (const Json& model : json.at("models")) catalogue.models.push_back(to_model(model));
  return catalogue;
}

}  // namespace

int WeightsPackage::part() const {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t digits = last == std::string::npos ? 0 : last + 1;
  int number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return number;
}

const CatalogueModel* Catalogue::find(std::string_view name) const {
  const auto found = std::ranges::find(models, name, &CatalogueModel::name);
  return found == models.end() ? nullptr : &*found;
}

const CatalogueModel& Catalogue::get(std::string_view name) const {
  const CatalogueModel* model = find(name.empty() ? default_name : name);
  if (model != nullptr) return *model;
  std::vector<std::string> known;
  for (const CatalogueModel& each : models) known.push_back(each.name);
  const auto near = nearest(name, known);
  throw Error(ErrorKind::InvalidInput, "no local model is called `" + std::string(name) + "`",
              (near ? "did you mean `" + *near + "`? " : std::string()) + "known are " +
                  join(known, ", ") + "; a file of your own is local:PATH.gguf");
}

const CatalogueModel* Catalogue::embedding() const {
  const auto found = std::ranges::find(models, ModelKind::Embedding, &CatalogueModel::kind);
  return found == models.end() ? nullptr : &*found;
}

Catalogue parse_catalogue(std::string_view json) {
  try {
    return to_catalogue(parse_json(json));
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::Corrupt,
                "the catalogue of models cannot be read: " + std::string(error.what()));
  } catch (const Error& error) {
    throw Error(ErrorKind::Corrupt, "the catalogue of models cannot be read: " + error.message());
  }
}

Catalogue built_in_catalogue() { return parse_catalogue(kCatalogueText); }

}  // namespace hone::model
