#include "hone/net/transfer.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <utility>

#include "hone/base/text.h"
#include "hone/base/units.h"

namespace hone::net {
namespace {

constexpr long kReceiveBuffer = 2 * 1024L;
constexpr long kSendBuffer = 16 * 1024L;  // The least.
constexpr long kKeepAliveSeconds = 30;
constexpr std::string_view kOwnAddresses = "localhost,127.0.0.1,::1";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

long milliseconds(Duration time) {
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

bool sends_body(const HttpRequest& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT";
}

}  // namespace

Transfer::Transfer(HttpRequest request, BodySink sink)
    : curl_(curl_library()),
      handle_(curl_.easy_init(), curl_.easy_cleanup),
      header_list_(nullptr, curl_.slist_free_all),
      request_(std::move(request)),
      sink_(std::move(sink)) {
  if (handle_ == nullptr) throw Error(ErrorKind::Internal, "libcurl gives no handle");
  set_request();
  set_headers();
  set_connection();
  set_environment();
  set_callbacks();
}

template <class Value>
void Transfer::set(CURLoption option, Value value) {
  const CURLcode result = curl_.easy_setopt(handle(), option, value);
  if (result == CURLE_OK) return;
  throw Error(ErrorKind::Internal,
              fmt::format("setting option {} of libcurl: {}", static_cast<int>(option),
                          curl_.easy_strerror(result)));
}

void Transfer::set_request() {
  set(CURLOPT_URL, request_.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  if (sends_body(request_)) {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, request_.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  } else if (request_.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  }
  set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void Transfer::set_headers() {
  // A server that ignores "Expect: 100-continue" would cost a second for each long prompt.
  add_header("Expect:");
  for (const auto& [name, value] : request_.headers) {
    const std::string line = value.empty() ? name + ";" : name + ": " + value;
    if (line.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      throw Error(
          ErrorKind::InvalidInput,
          fmt::format("the value of the header {} has a line break in it", one_line(name, 40)),
          "check the key or the file that it comes from");
    }
    add_header(line);
  }
  set(CURLOPT_HTTPHEADER, header_list_.get());
}

void Transfer::add_header(const std::string& line) {
  header_list_.reset(curl_.slist_append(header_list_.release(), line.c_str()));
}

void Transfer::set_connection() {
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // A cancelled name lookup is left behind, not waited for.
  set(CURLOPT_FOLLOWLOCATION, 0L);
  // Without TLS it would hold all requests back until the first one is answered.
  set(CURLOPT_PIPEWAIT, request_.url.starts_with("https:") ? 1L : 0L);
  // A thousand calls under way at once cost a quarter of what they would with the defaults.
  set(CURLOPT_BUFFERSIZE, kReceiveBuffer);
  set(CURLOPT_UPLOAD_BUFFERSIZE, kSendBuffer);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, kKeepAliveSeconds);
  set(CURLOPT_TCP_KEEPINTVL, kKeepAliveSeconds);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request_.limits.connect));
}

void Transfer::set_environment() {
  std::string except = environment("NO_PROXY");
  if (const std::string lower_case = environment("no_proxy"); !lower_case.empty())
    except = lower_case;
  if (except != "*") except = fmt::format("{},{}", kOwnAddresses, except);
  set(CURLOPT_NOPROXY, except.c_str());
  // libcurl reads the other names of proxies itself, but not this one.
  const std::string proxy = environment("HTTP_PROXY");
  if (!proxy.empty() && environment("http_proxy").empty() && request_.url.starts_with("http://")) {
    set(CURLOPT_PROXY, proxy.c_str());
  }
  // Only the curl command reads this name.
  const std::string certificates = environment("SSL_CERT_FILE");
  if (!certificates.empty()) set(CURLOPT_CAINFO, certificates.c_str());
}

void Transfer::set_callbacks() {
  set(CURLOPT_ERRORBUFFER, detail_.data());
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_PREREQFUNCTION, &Transfer::on_request);
  set(CURLOPT_PREREQDATA, this);
}

std::size_t Transfer::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  static_cast<Transfer*>(self)->take_header({bytes, size * count});
  return size * count;
}

std::size_t Transfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_body({bytes, size * count}) ? size * count : 0;
}

int Transfer::on_request(void* self, char*, char*, int, int) {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.requested_ = Clock::now();
  transfer.on_progress_();
  return CURL_PREREQFUNC_OK;
}

void Transfer::progress() {
  last_byte_ = Clock::now();
  on_progress_();
}

void Transfer::take_header(std::string_view line) {
  progress();
  line = trim(line);
  if (line.starts_with("HTTP/")) {  // Again after each interim response.
    response_.headers.clear();
    const auto space = line.find(' ');
    if (space == std::string_view::npos) return;
    response_.version = line.size() > 5 ? line[5] - '0' : 0;
    std::from_chars(line.data() + space + 1, line.data() + line.size(), response_.status);
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  response_.headers.push_back(
      {std::string(line.substr(0, colon)), std::string(trim(line.substr(colon + 1)))});
}

bool Transfer::take_body(std::string_view bytes) {
  progress();
  body_bytes_ += bytes.size();
  if (body_bytes_ > request_.limits.body_bytes) {
    const std::string message = fmt::format("the reply of {} is longer than {} bytes",
                                            origin_of(request_.url), request_.limits.body_bytes);
    fail(std::make_exception_ptr(Error(ErrorKind::Corrupt, message)));
    return false;
  }
  arrived_ += bytes;
  return true;
}

void Transfer::start(std::function<void()> on_progress) {
  on_progress_ = std::move(on_progress);
  started_ = Clock::now();
}

void Transfer::deliver() {
  const std::string bytes = std::exchange(arrived_, {});
  if (bytes.empty() || has_failed()) return;
  const bool is_wanted = sink_ && response_.status >= 200 && response_.status < 300;
  if (!is_wanted) {
    response_.body += bytes;
    return;
  }
  try {
    sink_(response_, bytes);
  } catch (...) {
    fail(std::current_exception());
  }
}

void Transfer::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
}

HttpResponse Transfer::take() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return std::move(response_);
}

}  // namespace hone::net
