#include "hone/net/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "hone/base/error.h"

namespace hone::net {
namespace {

constexpr unsigned kOldest = 0x075700;  // 7.87.0, for CURLOPT_QUICK_EXIT.
constexpr const char* kHint = "install the Debian package `libcurl4` (7.87 or later)";

Error missing(const char* file, std::string_view reason) {
  return {ErrorKind::Unsupported, fmt::format("loading {}: {}", file, reason), kHint};
}

class Library {
 public:
  explicit Library(const char* file)
      : file_(file), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {  // Never closed.
    if (handle_ == nullptr) throw missing(file, dlerror());
  }

  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) throw missing(file_, fmt::format("it has no {}", name));
  }

 private:
  const char* file_;
  void* handle_;
};

void find_easy(const Library& library, CurlLibrary& curl) {
  library.find("curl_easy_init", curl.easy_init);
  library.find("curl_easy_cleanup", curl.easy_cleanup);
  library.find("curl_easy_setopt", curl.easy_setopt);
  library.find("curl_easy_getinfo", curl.easy_getinfo);
  library.find("curl_easy_strerror", curl.easy_strerror);
  library.find("curl_slist_append", curl.slist_append);
  library.find("curl_slist_free_all", curl.slist_free_all);
}

void find_multi(const Library& library, CurlLibrary& curl) {
  library.find("curl_multi_init", curl.multi_init);
  library.find("curl_multi_cleanup", curl.multi_cleanup);
  library.find("curl_multi_setopt", curl.multi_setopt);
  library.find("curl_multi_add_handle", curl.multi_add_handle);
  library.find("curl_multi_remove_handle", curl.multi_remove_handle);
  library.find("curl_multi_socket_action", curl.multi_socket_action);
  library.find("curl_multi_info_read", curl.multi_info_read);
  library.find("curl_multi_strerror", curl.multi_strerror);
}

}  // namespace

CurlLibrary load_curl(const char* file) {
  const Library library(file);
  CurlLibrary curl{};
  library.find("curl_global_init", curl.global_init);
  library.find("curl_version_info", curl.version_info);
  find_easy(library, curl);
  find_multi(library, curl);
  const auto* version = curl.version_info(CURLVERSION_NOW);
  if (version->version_num < kOldest) {
    throw missing(file, fmt::format("it is version {}", version->version));
  }
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw missing(file, "it does not start");
  return curl;
}

const CurlLibrary& curl_library() {
  static const CurlLibrary library = load_curl("libcurl.so.4");
  return library;
}

}  // namespace hone::net
