// TLS against a server with a certificate of its own making.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/net/http_client.h"
#include "hone/net/pipe_signal.h"
#include "hone/net/test_certificate.h"

namespace hone::net {
namespace {

using TlsContext = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Tls = std::unique_ptr<SSL, Freed<SSL_free>>;

// Answers every request of every connection with "secure".
class TlsServer {
 public:
  TlsServer() : key_(EVP_EC_gen("P-256")), certificate_(self_signed(key_.get())) {
    SSL_CTX_use_certificate(context_.get(), certificate_.get());
    SSL_CTX_use_PrivateKey(context_.get(), key_.get());
    const sockaddr_in any{.sin_family = AF_INET,
                          .sin_port = 0,
                          .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
                          .sin_zero = {}};
    bind(listener_, reinterpret_cast<const sockaddr*>(&any), sizeof any);
    listen(listener_, 8);
    thread_ = std::thread([this] { serve(); });
  }
  ~TlsServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string url() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    return "https://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  }

  void write_certificate(const std::string& file) const {
    net::write_certificate(*certificate_, file);
  }

 private:
  void serve() {
    const PipeSignalBlocked blocked;  // Clients that do not trust it leave at once.
    for (int client = 0; (client = accept(listener_, nullptr, nullptr)) >= 0; close(client)) {
      const Tls tls(SSL_new(context_.get()));
      SSL_set_fd(tls.get(), client);
      if (SSL_accept(tls.get()) != 1) continue;
      char request[4096];
      if (SSL_read(tls.get(), request, sizeof request) <= 0) continue;
      const std::string reply = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure";
      SSL_write(tls.get(), reply.data(), static_cast<int>(reply.size()));
      SSL_shutdown(tls.get());
    }
  }

  Key key_;
  Certificate certificate_;
  TlsContext context_{SSL_CTX_new(TLS_server_method())};
  int listener_ = socket(AF_INET, SOCK_STREAM, 0);
  std::thread thread_;
};

async<void> fetch(std::string url, HttpResponse* response) {
  const HttpClient client;
  HttpRequest request;
  request.url = std::move(url);
  *response = co_await client.send(std::move(request));
}

class TlsTest : public testing::Test {
 protected:
  TlsTest() {
    if (const char* value = std::getenv("SSL_CERT_FILE")) before_ = value;
  }
  ~TlsTest() override {
    if (before_) {
      setenv("SSL_CERT_FILE", before_->c_str(), 1);
    } else {
      unsetenv("SSL_CERT_FILE");
    }
    std::filesystem::remove(file_);
  }

  TlsServer server_;
  std::string file_ = testing::TempDir() + "hone-tls-test-" + std::to_string(getpid()) + ".pem";
  std::optional<std::string> before_;
};

TEST_F(TlsTest, ACertificateNobodyTrustsIsInvalidInputAndNamesTheVariable) {
  HttpResponse response;
  try {
    run_sync([&] { return fetch(server_.url(), &response); });
    FAIL() << "it was trusted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << error.message();
    EXPECT_NE(error.message().find("is not trusted"), std::string::npos) << error.message();
    EXPECT_NE(error.hint().find("SSL_CERT_FILE"), std::string::npos);
  }
}

TEST_F(TlsTest, TheCertificatesOfTheVariableAreTrusted) {
  server_.write_certificate(file_);
  setenv("SSL_CERT_FILE", file_.c_str(), 1);
  HttpResponse response;
  run_sync([&] { return fetch(server_.url(), &response); });
  EXPECT_EQ(response.body, "secure");
}

TEST_F(TlsTest, AMissingFileOfCertificatesIsInvalidInput) {
  setenv("SSL_CERT_FILE", "/nowhere/certificates.pem", 1);
  HttpResponse response;
  try {
    run_sync([&] { return fetch(server_.url(), &response); });
    FAIL() << "it was trusted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << error.message();
    EXPECT_NE(error.message().find("/nowhere/certificates.pem"), std::string::npos)
        << error.message();
  }
}

}  // namespace
}  // namespace hone::net
