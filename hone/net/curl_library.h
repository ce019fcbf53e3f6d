// libcurl, loaded when the first request is made: programs that make none do not pay for it.
#pragma once

#include <curl/curl.h>

namespace hone::net {

// The functions of libcurl that hone calls, by the names of <curl/curl.h> without "curl_".
struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_version_info) version_info;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_setopt) multi_setopt;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_socket_action) multi_socket_action;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_strerror) multi_strerror;
};

// The library of this process, loaded and initialised by the first call. Throws Unsupported naming
// the package when it is missing or older than 7.87; a later call tries again. Threads: any.
const CurlLibrary& curl_library();

// The same from a file of another name; for tests of what happens without it.
CurlLibrary load_curl(const char* file);

}  // namespace hone::net
