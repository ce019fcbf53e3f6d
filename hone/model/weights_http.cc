#include "hone/model/weights_http.h"

#include <chrono>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "hone/base/error.h"
#include "hone/net/http_client.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;

constexpr int kMostRedirects = 5;
constexpr std::chrono::seconds kStall{60};
constexpr int kWhole = 200;
constexpr int kPart = 206;

std::int64_t size_of(const fs::path& file) {
  std::error_code none;
  const auto bytes = fs::file_size(file, none);
  return none ? 0 : static_cast<std::int64_t>(bytes);
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// One file on its way. Threads: one.
class Transfer {
 public:
  explicit Transfer(Download what) : what_(std::move(what)), url_(what_.url) {}

  std::int64_t here() const { return size_of(what_.file); }
  bool is_whole() const { return here() == what_.bytes; }

  net::HttpRequest request() const {
    net::HttpRequest request;
    request.url = url_;
    request.limits.first_byte = kStall;
    request.limits.stall = kStall;
    request.limits.body_bytes = static_cast<std::size_t>(what_.bytes) + 1;
    if (here() > 0) {
      request.headers.push_back({"Range", "bytes=" + std::to_string(here()) + "-"});
    }
    return request;
  }

  void take(const net::HttpResponse& head, std::string_view bytes) {
    if (!file_) open(head);
    if (written_ + static_cast<std::int64_t>(bytes.size()) > what_.bytes) {
      throw Error(ErrorKind::Corrupt,
                  "the server sends more of " + what_.url + " than the catalogue says");
    }
    file_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!*file_) {
      throw Error(ErrorKind::Unavailable, "writing " + what_.file.string() + " failed",
                  "make room or give hone a folder it may write: $XDG_CACHE_HOME");
    }
    written_ += static_cast<std::int64_t>(bytes.size());
    if (what_.progress) what_.progress(written_);
  }

  void close() { file_.reset(); }
  void discard_surplus() const {
    std::error_code ignored;
    if (here() > what_.bytes) fs::remove(what_.file, ignored);
  }
  Error incomplete() const {
    return {ErrorKind::Unavailable,
            "the server sends only " + std::to_string(here()) + " of the " +
                std::to_string(what_.bytes) + " bytes of " + what_.url,
            "try again later; what has come is kept"};
  }

  // Goes to where the server says the file is.
  void follow(const net::HttpResponse& response) {
    const auto place = response.header("Location");
    const bool to_http = place && place->starts_with("http://");
    const bool to_https = place && place->starts_with("https://");
    const bool is_safe = to_https || (to_http && url_.starts_with("http://"));
    if (++redirects_ > kMostRedirects || !is_safe) {
      throw Error(ErrorKind::Unavailable, "the server sends the request for " + what_.url +
                                              " to a place that hone does not follow");
    }
    url_ = std::string(*place);
  }

  Error refused(int status) const {
    const ErrorKind kind =
        status == 404 || status == 410 ? ErrorKind::NotFound : ErrorKind::Unavailable;
    return {kind, "the server answers " + std::to_string(status) + " for " + what_.url,
            "try again later; what has come is kept"};
  }

 private:
  // A server that answers with the whole begins again.
  void open(const net::HttpResponse& head) {
    const bool goes_on = head.status == kPart;
    written_ = goes_on ? here() : 0;
    const std::string range = "bytes " + std::to_string(written_) + "-";
    if (goes_on && !head.header("Content-Range").value_or("").starts_with(range)) {
      throw Error(ErrorKind::Unavailable,
                  "the server sends another part of " + what_.url + " than was asked for");
    }
    file_.emplace(what_.file,
                  goes_on ? std::ios::binary | std::ios::app : std::ios::binary | std::ios::trunc);
  }

  Download what_;
  std::string url_;
  int redirects_ = 0;
  std::int64_t written_ = 0;
  std::optional<std::ofstream> file_;
};

// One request; true when it may go on with another.
async<void> exchange(Transfer& transfer) {
  const net::HttpClient client;
  net::HttpRequest request = transfer.request();
  net::BodySink sink = [&](const net::HttpResponse& head, std::string_view bytes) {
    transfer.take(head, bytes);
  };
  const net::HttpResponse response = co_await client.stream(std::move(request), std::move(sink));
  transfer.close();
  if (is_redirect(response.status)) {
    transfer.follow(response);
  } else if (response.status != kWhole && response.status != kPart) {
    throw transfer.refused(response.status);
  }
}

// Whether to ask again after a failure: it is one of the line, and something had come.
async<bool> brought_something(Transfer& transfer) {
  const std::int64_t before = transfer.here();
  std::optional<Error> broken;
  try {
    co_await exchange(transfer);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unavailable) throw;
    broken = error;
  }
  transfer.close();
  if (broken && transfer.here() <= before) throw Error(*broken);
  co_return transfer.here() > before;
}

}  // namespace

async<void> download(core::Context, Download what) {
  Transfer transfer(std::move(what));
  transfer.discard_surplus();
  int idle = 0;
  while (!transfer.is_whole()) {
    const bool progressed = co_await brought_something(transfer);
    idle = progressed ? 0 : idle + 1;
    if (idle > kMostRedirects) throw transfer.incomplete();
  }
}

}  // namespace hone::model
