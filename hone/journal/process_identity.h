// Which process runs a run, so that others can tell whether it still does.
#pragma once

#include <cstdint>
#include <string>

#include "hone/base/json.h"

namespace hone::core {
class JsonWriter;
}

namespace hone::journal {

struct ProcessIdentity {
  std::string host;
  std::int64_t id = 0;
  std::int64_t started = 0;  // In clock ticks since the machine started: ids are used again.
  // Which start of the machine, and which space of process ids: containers have their own.
  std::string boot;

  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

// Whether the process still runs. One on another host is taken to run: nobody here can tell. One
// without a host, as of a run that came from a file, does not.
bool is_alive(const ProcessIdentity& process);

void write(core::JsonWriter& writer, const ProcessIdentity& process);
ProcessIdentity process_from_json(const Json& json);  // Throws Corrupt.

}  // namespace hone::journal
