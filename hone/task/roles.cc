#include "hone/task/roles.h"

#include <array>
#include <span>

#include "hone/base/error.h"
#include "hone/model/spec.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

using core::Role;

constexpr std::array kRoles{Role::Generate, Role::Evaluate, Role::Reflect, Role::Revise};
constexpr std::array<std::string_view, 5> kRoleKeys{"generate", "evaluate", "reflect", "revise",
                                                    "embed"};
constexpr std::array<std::string_view, 4> kSamplingKeys{"temperature", "top_p", "max_tokens",
                                                        "seed"};
constexpr std::array<std::string_view, 8> kSamplingKeysAndRoles{
    "temperature", "top_p", "max_tokens", "seed", "generate", "evaluate", "reflect", "revise"};

std::string spec_of(const yaml::Field& field) {
  const std::string text = field.text();
  try {
    return model::to_string(model::parse_spec(text));
  } catch (const Error& failure) {
    throw field.error(failure.message(), failure.hint());
  }
}

// Lays what `fields` says over `sampling`.
void set(core::Sampling& sampling, const yaml::Fields& fields) {
  if (const auto value = present(fields, "temperature")) sampling.temperature = value->number(0, 2);
  if (const auto value = present(fields, "top_p")) sampling.top_p = value->number(0, 1);
  if (const auto value = present(fields, "max_tokens")) {
    sampling.max_tokens = Tokens{value->count(1)};
  }
  if (const auto value = present(fields, "seed")) {
    sampling.seed = static_cast<std::uint64_t>(value->whole(0));
  }
}

}  // namespace

std::map<Role, std::string> read_models(const yaml::Field& field) {
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) {
    if (field.node().get_if<std::string>() == nullptr) {
      throw field.must_be("the name of a model, or a mapping from roles to names");
    }
    return {{Role::Generate, spec_of(field)}};
  }
  const yaml::Fields fields = field.mapping(kRoleKeys);
  if (const auto embed = present(fields, "embed")) throw not_in_this_version(*embed);
  std::map<Role, std::string> models;
  for (const Role role : kRoles) {
    if (const auto name = present(fields, core::to_string(role))) models[role] = spec_of(*name);
  }
  return models;
}

std::map<Role, core::Sampling> read_sampling(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kSamplingKeysAndRoles);
  core::Sampling common;
  set(common, fields);
  std::map<Role, core::Sampling> sampling;
  if (common != core::Sampling()) sampling = {{Role::Generate, common}, {Role::Revise, common}};
  for (const Role role : kRoles) {
    const auto own = present(fields, core::to_string(role));
    if (own) set(sampling[role], own->mapping(kSamplingKeys));
  }
  return sampling;
}

}  // namespace hone::task
