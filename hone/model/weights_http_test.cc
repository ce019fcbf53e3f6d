#include "hone/model/weights_http.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "hone/async/run_sync.h"
#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/model/weights.h"
#include "hone/net/fake_server.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;
using net::FakeReply;
using net::FakeRequest;
using net::FakeServer;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class NoPackages final : public PackageClient {
 public:
  async<void> fetch(core::Context, const WeightsPackage&, const fs::path&) override {
    ++asked;
    throw Error(ErrorKind::Unavailable, "no packages here");
    co_return;
  }
  int asked = 0;
};

class Downloading : public testing::Test {
 protected:
  Downloading() {
    fs::create_directories(folder / ".tiny.parts");
    for (int i = 0; i < 20000; ++i) text += std::to_string(i) + " ";
    model.name = "tiny";
    model.file = "tiny.gguf";
    model.bytes = static_cast<std::int64_t>(text.size());
    model.sha256 = sha256(text);
  }
  ~Downloading() override { fs::remove_all(folder); }

  // Answers ranges; the first `breaks` replies end after a third of what was asked for.
  FakeReply answer(const FakeRequest& request) {
    const std::string range = request.header("range");
    const std::size_t from = range.empty() ? 0 : std::strtoul(range.c_str() + 6, nullptr, 10);
    FakeReply reply{.chunks = {text.substr(from)}};
    if (!range.empty() && knows_ranges) {
      reply.status = 206;
      reply.headers.emplace_back("Content-Range", "bytes " + std::to_string(from + shift) + "-" +
                                                      std::to_string(text.size() - 1) + "/" +
                                                      std::to_string(text.size()));
    } else {
      reply.chunks = {text};
    }
    if (breaks > 0) {
      --breaks;
      reply.cut_after = reply.chunks[0].size() / 3;
    }
    return reply;
  }

  fs::path pull_now(const FakeServer& server) { return pull_from({{.url = server.url("/m")}}); }
  fs::path pull_from(std::vector<WeightsSource> sources) {
    model.sources = std::move(sources);
    fs::path file;
    run_sync([&] { return start(file); });
    return file;
  }
  async<void> start(fs::path& file) {
    core::Context context;
    context.clock = &clock;
    const std::function<void(const PullProgress&)> listen = [this](const PullProgress& now) {
      if (now.stage == PullStage::Fetching) last = now;
    };
    const PullTools tools{
        .client = packages, .workers = workers, .progress = listen, .folder = folder};
    file = co_await pull(context, model, tools);
  }
  Error failure(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing failed";
    return {ErrorKind::Internal, ""};
  }

  fs::path folder = fs::temp_directory_path() / ("hone-http-weights-" + std::to_string(getpid()));
  fs::path kept = folder / ".tiny.parts" / "download";
  std::string text;
  CatalogueModel model;
  NoPackages packages;
  WorkerPool workers{1};
  SystemClock clock;
  PullProgress last;
  bool knows_ranges = true;
  int breaks = 0;
  std::size_t shift = 0;
};

TEST_F(Downloading, BringsTheFileAndTellsHowFarItIs) {
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  EXPECT_EQ(content(pull_now(server)), text);
  EXPECT_EQ(last.done, model.bytes);
  EXPECT_EQ(last.total, model.bytes);
  EXPECT_FALSE(fs::exists(kept.parent_path()));
}

TEST_F(Downloading, GoesOnWhereTheLineBroke) {
  breaks = 3;
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  EXPECT_EQ(content(pull_now(server)), text);
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_EQ(requests[0].header("range"), "");
  EXPECT_EQ(requests[1].header("range"), "bytes=" + std::to_string(text.size() / 3) + "-");
}

TEST_F(Downloading, GoesOnWhereAnEarlierPullEnded) {
  std::ofstream(kept) << text.substr(0, 5000);
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  EXPECT_EQ(content(pull_now(server)), text);
  EXPECT_EQ(server.requests().at(0).header("range"), "bytes=5000-");
}

TEST_F(Downloading, BeginsAgainWithAServerThatKnowsNoRanges) {
  knows_ranges = false;
  std::ofstream(kept) << "something else";
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  EXPECT_EQ(content(pull_now(server)), text);
}

TEST_F(Downloading, RefusesAnotherPartThanItAskedFor) {
  shift = 7;
  std::ofstream(kept) << text.substr(0, 100);
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  EXPECT_EQ(failure([&] { pull_now(server); }).kind(), ErrorKind::Unavailable);
  EXPECT_EQ(content(kept), text.substr(0, 100));
}

TEST_F(Downloading, KeepsNothingOfAFileWithAnotherHash) {
  model.sha256 = sha256("something else");
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  const Error error = failure([&] { pull_now(server); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(error.message().find(sha256(text)), std::string::npos);
  EXPECT_FALSE(fs::exists(kept));
  EXPECT_FALSE(fs::exists(folder / "tiny.gguf"));
}

TEST_F(Downloading, EndsAReplyThatHasNoEnd) {
  model.bytes = 1000;
  FakeServer server([this](const FakeRequest& request) { return answer(request); });
  EXPECT_EQ(failure([&] { pull_now(server); }).kind(), ErrorKind::Corrupt);
  EXPECT_FALSE(fs::exists(folder / "tiny.gguf"));
}

TEST_F(Downloading, FollowsRedirectsButNotForEver) {
  FakeServer store([this](const FakeRequest& request) { return answer(request); });
  FakeServer front([&](const FakeRequest&) {
    return FakeReply{.status = 302, .headers = {{"Location", store.url("/there")}}};
  });
  EXPECT_EQ(content(pull_now(front)), text);
  fs::remove(folder / "tiny.gguf");
  FakeServer* self = nullptr;
  FakeServer circle([&](const FakeRequest&) {
    return FakeReply{.status = 302, .headers = {{"Location", self->url("/again")}}};
  });
  self = &circle;
  EXPECT_EQ(failure([&] { pull_now(circle); }).kind(), ErrorKind::Unavailable);
  EXPECT_EQ(circle.requests().size(), 6U);
}

TEST_F(Downloading, TriesTheSourcesInOrder) {
  FakeServer gone([](const FakeRequest&) { return FakeReply{.status = 404, .chunks = {"no"}}; });
  FakeServer there([this](const FakeRequest& request) { return answer(request); });
  const WeightsSource parts{.member = ".bin", .packages = {{.name = "p1"}}};
  EXPECT_EQ(content(pull_from({parts, {.url = gone.url("/m")}, {.url = there.url("/m")}})), text);
  EXPECT_EQ(packages.asked, 1);
  EXPECT_EQ(gone.requests().size(), 1U);
}

TEST_F(Downloading, SaysWhatEverySourceSaid) {
  FakeServer gone([](const FakeRequest&) { return FakeReply{.status = 404, .chunks = {"no"}}; });
  const WeightsSource parts{.member = ".bin", .packages = {{.name = "p1"}}};
  const Error error = failure([&] { pull_from({parts, {.url = gone.url("/m")}}); });
  EXPECT_NE(error.message().find("404"), std::string::npos);
  EXPECT_NE(error.message().find("no packages here"), std::string::npos);
}

}  // namespace
}  // namespace hone::model
