// Weights as one file of a web server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "hone/async/async.h"
#include "hone/core/context.h"

namespace hone::model {

struct Download {
  std::string url;             // http or https.
  std::filesystem::path file;  // What has come so far is at its start, and kept when it breaks off.
  std::int64_t bytes = 0;      // Of the whole.
  std::function<void(std::int64_t)> progress;  // Bytes so far; on the loop's thread.
};

// Fetches what is missing of the file (RFC 9110, 14: ranges), and all of it from a server that
// knows no ranges. A connection that breaks is taken up again where it broke, as long as each
// brings something. Follows at most five redirects, never from https to http. The content is not
// checked. Throws NotFound or Unavailable when the server does not have the file or does not
// answer, Corrupt when it sends more than `bytes`.
async<void> download(core::Context context, Download what);

}  // namespace hone::model
