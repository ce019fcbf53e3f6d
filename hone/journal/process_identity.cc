#include "hone/journal/process_identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <optional>
#include <sstream>

#include "hone/core/json_form_reader.h"
#include "hone/core/json_form_writer.h"

namespace hone::journal {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// Field 22 of /proc/PID/stat (proc(5)). The name before it, in parentheses, may hold anything.
std::optional<std::int64_t> start_time(std::int64_t id) {
  std::ifstream file(fmt::format("/proc/{}/stat", id));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string state;
  fields >> state;
  if (state == "Z" || state == "X") return std::nullopt;  // Dead, and not yet waited for.
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  std::int64_t started = 0;
  if (!(fields >> started)) return std::nullopt;
  return started;
}

// random(4) tells how it is made: anew at each start of the machine.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

// pid_namespaces(7): "pid:[4026531836]".
std::string process_space() {
  std::array<char, 64> name{};
  const auto size = readlink("/proc/self/ns/pid", name.data(), name.size());
  return size > 0 ? std::string(name.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace

ProcessIdentity this_process() {
  const std::int64_t id = getpid();
  static const ProcessIdentity found{host_name(), id, start_time(id).value_or(0),
                                     boot_id() + " " + process_space()};
  if (found.id == id) return found;
  return {host_name(), id, start_time(id).value_or(0), found.boot};  // Forked since.
}

bool is_alive(const ProcessIdentity& process) {
  if (process.host.empty()) return false;
  if (process.host != host_name()) return true;
  if (!process.boot.empty()) {
    if (!process.boot.starts_with(boot_id())) return false;
    if (!process.boot.ends_with(process_space())) return true;
  }
  return start_time(process.id) == process.started;
}

void write(core::JsonWriter& writer, const ProcessIdentity& process) {
  writer.begin_object().key("host").word(process.host);
  writer.key("id").integer(process.id);
  writer.key("started").integer(process.started);
  writer.key("boot").word(process.boot);
  writer.end_object();
}

ProcessIdentity process_from_json(const Json& json) {
  const core::JsonReader reader(json);
  return {reader.text("host"), reader.integer("id"), reader.integer("started"),
          reader.text("boot")};
}

}  // namespace hone::journal
