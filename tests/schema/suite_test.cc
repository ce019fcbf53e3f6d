// Runs the required tests of the official JSON-Schema-Test-Suite: all must come out as it says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/schema/bundle.h"
#include "hone/schema/schema.h"

namespace hone::schema {
namespace {

namespace fs = std::filesystem;

struct Draft {
  std::string folder, uri;
  std::size_t tests;  // How many the pinned version has.
};
const Draft kDrafts[] = {
    {"draft7", "http://json-schema.org/draft-07/schema#", 913},
    {"draft2019-09", "https://json-schema.org/draft/2019-09/schema", 1227},
    {"draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1257},
};
// Where the suite expects its remotes.
constexpr std::string_view kServer = "http://localhost:1234/";

fs::path suite() {
  const char* folder = std::getenv("HONE_SCHEMA_SUITE");
  return folder == nullptr ? fs::path() : fs::path(folder);
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorKind::NotFound, path.string() + " is not there");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string remote(const std::string& uri) {
  if (!uri.starts_with(kServer)) throw Error(ErrorKind::NotFound, uri + " is not served");
  return content(suite() / "remotes" / uri.substr(kServer.size()));
}

// Required tests alone: `optional/` is a folder.
std::vector<fs::path> files_of(const Draft& draft) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(suite() / "tests" / draft.folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string text_of(const Json& schema, const Draft& draft) {
  if (!schema.is_object() || schema.contains("$schema")) return dump(schema);
  Json dated = {{"$schema", draft.uri}};
  dated.update(schema);
  return dump(dated);
}

struct Tally {
  std::size_t right = 0;
  std::size_t all = 0;
  std::vector<std::string> wrong;
};

std::string verdict(const Schema& schema, const Json& test) {
  const Result result = schema.check(dump(test.at("data")));
  EXPECT_EQ(result.valid, result.violations.empty());
  EXPECT_EQ(result.valid, result.share == 1);
  return result.valid ? "valid" : "invalid";
}

void run(const Json& group, const Draft& draft, Tally& tally) {
  std::string failure;
  std::optional<Schema> schema;
  try {
    const std::string text = text_of(group.at("schema"), draft);
    SchemaOptions options{.formats = Formats::AsDraft};
    options.documents = referenced(text, options, remote);
    schema.emplace(text, options);
  } catch (const Error& error) {
    failure = error.message();
  }
  for (const Json& test : group.at("tests")) {
    ++tally.all;
    const std::string expected = test.at("valid").get<bool>() ? "valid" : "invalid";
    const std::string found = schema ? verdict(*schema, test) : failure;
    tally.right += found == expected ? 1 : 0;
    if (found != expected) {
      tally.wrong.push_back(fmt::format("{}: {}: {}", group.at("description").get<std::string>(),
                                        test.at("description").get<std::string>(), found));
    }
  }
}

class Suite : public testing::TestWithParam<Draft> {};

TEST_P(Suite, EveryRequiredTestComesOutAsItSays) {
  if (suite().empty() || !fs::exists(suite() / "stamp")) {
    GTEST_SKIP() << "the suite is not here; tests/schema/fetch_suite.sh FOLDER fetches it, and "
                    "HONE_SCHEMA_SUITE names the folder";
  }
  Tally tally;
  for (const fs::path& file : files_of(GetParam())) {
    for (const Json& group : parse_json(content(file))) run(group, GetParam(), tally);
  }
  fmt::print("{}: {} of {} required tests\n", GetParam().folder, tally.right, tally.all);
  EXPECT_EQ(tally.all, GetParam().tests);
  EXPECT_EQ(tally.right, tally.all) << fmt::format("{}", fmt::join(tally.wrong, "\n"));
}

INSTANTIATE_TEST_SUITE_P(Drafts, Suite, testing::ValuesIn(kDrafts), [](const auto& draft) {
  std::string name = draft.param.folder;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace hone::schema
