#include "hone/net/sse.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/error.h"

namespace hone::net {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::vector<ServerSentEvent> SseParser::feed(std::string_view bytes) {
  std::vector<ServerSentEvent> events;
  while (!bytes.empty()) {
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const auto end = bytes.find_first_of("\r\n");
    keep(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(events);
  }
  return events;
}

void SseParser::keep(std::string_view bytes) {
  if (line_.size() + data_.size() + bytes.size() > limit_) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("reading an event stream: an event is longer than {} bytes", limit_));
  }
  line_ += bytes;
}

void SseParser::end_line(std::vector<ServerSentEvent>& events) {
  std::string_view line = line_;
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.empty()) {
    dispatch(events);
  } else {
    take_field(line);
  }
  line_.clear();
}

void SseParser::take_field(std::string_view line) {
  const auto colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value;
  if (colon != std::string_view::npos) value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    data_ += value;
    data_ += '\n';
  } else if (field == "event") {
    name_ = value;
  } else if (field == "id" && value.find('\0') == std::string_view::npos) {
    id_ = value;
  }
}

void SseParser::dispatch(std::vector<ServerSentEvent>& events) {
  std::string name = std::exchange(name_, {});
  std::string data = std::exchange(data_, {});
  if (data.empty()) return;
  data.pop_back();  // The LF after its last line.
  if (name.empty()) name = "message";
  events.push_back({std::move(name), std::move(data), id_});
}

}  // namespace hone::net
