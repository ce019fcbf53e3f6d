// HTTP/2 against the server of the nghttp2 project, where it is installed (Debian: nghttp2-server).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/base/text.h"
#include "hone/net/fake_server.h"
#include "hone/net/http_client.h"
#include "hone/net/test_certificate.h"

namespace hone::net {
namespace {

std::optional<std::string> find_nghttpd() {
  const char* path = std::getenv("PATH");
  for (const std::string& folder :
       split(std::string(path == nullptr ? "" : path) + ":/usr/sbin", ':')) {
    const std::string file = folder + "/nghttpd";
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

// A server of one small file, which writes down what it does.
class Http2Server {
 public:
  Http2Server(const std::string& program, const std::filesystem::path& folder)
      : port_(std::to_string(refused_port())) {
    const std::string key = folder / "key.pem";
    const std::string certificate = folder / "certificate.pem";
    const Key made(EVP_EC_gen("P-256"));
    write_key(*made, key);
    write_certificate(*self_signed(made.get()), certificate);
    std::ofstream(folder / "file") << "small";
    start({program, "-v", "-d", folder, port_, key, certificate});
    reader_ = std::thread([this] { read_all(); });
    wait_for("listen");
  }
  ~Http2Server() { stop(); }
  Http2Server(const Http2Server&) = delete;
  Http2Server& operator=(const Http2Server&) = delete;

  std::string url() const { return "https://127.0.0.1:" + port_ + "/file"; }

  // Stops it; how many connections there were.
  std::size_t connections() {
    stop();
    std::size_t count = 0;
    const std::string mark = "handshake completed";
    for (auto at = log_.find(mark); at != std::string::npos; at = log_.find(mark, at + 1)) ++count;
    return count;
  }

 private:
  void start(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ASSERT_EQ(posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ),
              0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
  }

  void stop() {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
    process_ = 0;
    reader_.join();
    close(output_);
  }

  void read_all() {
    std::array<char, 65536> piece{};
    ssize_t count = 0;
    while ((count = read(output_, piece.data(), piece.size())) > 0) {
      const std::lock_guard lock(mutex_);
      log_.append(piece.data(), static_cast<std::size_t>(count));
      changed_.notify_all();
    }
  }

  void wait_for(const std::string& mark) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(10),
                                  [&] { return log_.find(mark) != std::string::npos; }));
  }

  std::string port_;
  pid_t process_ = 0;
  int output_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string log_;
  std::thread reader_;
};

class Http2Test : public testing::Test {
 protected:
  Http2Test() {
    std::string name = (std::filesystem::temp_directory_path() / "hone-http2-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    setenv("SSL_CERT_FILE", (folder_ / "certificate.pem").c_str(), 1);
  }
  ~Http2Test() override {
    unsetenv("SSL_CERT_FILE");
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path folder_;
};

async<void> fetch(const HttpClient& client, std::string url, HttpResponse* response) {
  HttpRequest request;
  request.url = std::move(url);
  *response = co_await client.send(std::move(request));
}

TEST_F(Http2Test, ManyRequestsShareFewConnections) {
  const auto program = find_nghttpd();
  if (!program) GTEST_SKIP() << "install nghttp2-server to test HTTP/2";
  for (const long most : {4L, HttpClientOptions().secure_connections_per_host}) {
    Http2Server server(*program, folder_);
    const HttpClient client({.secure_connections_per_host = most});
    std::vector<HttpResponse> responses(200);
    run_sync([&] {
      return for_each_index(responses.size(), responses.size(), [&](std::size_t i) {
        return fetch(client, server.url(), &responses[i]);
      });
    });
    for (const HttpResponse& response : responses) {
      EXPECT_EQ(response.body, "small");
      EXPECT_EQ(response.version, 2);
    }
    const std::size_t connections = server.connections();
    EXPECT_GE(connections, 1U);
    EXPECT_LE(connections, static_cast<std::size_t>(most));
  }
}

}  // namespace
}  // namespace hone::net
