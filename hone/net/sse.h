// Server-sent events, read as they arrive (WHATWG HTML, "9.2.6 Interpreting an event stream").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::net {

struct ServerSentEvent {
  std::string name;  // "message" if the stream names none.
  std::string data;  // Lines joined by LF.
  std::string id;    // The last id the stream gave, which stays for later events.
  bool operator==(const ServerSentEvent&) const = default;
};

// Takes a stream in pieces of any size and gives the events that each piece completes. An event
// that the stream does not end with an empty line is none. Threads: one at a time.
class SseParser {
 public:
  // `limit`: the longest event in bytes; a longer one throws Corrupt.
  explicit SseParser(std::size_t limit = 16 * 1024 * 1024) : limit_(limit) {}

  std::vector<ServerSentEvent> feed(std::string_view bytes);

 private:
  void end_line(std::vector<ServerSentEvent>& events);
  void take_field(std::string_view line);
  void dispatch(std::vector<ServerSentEvent>& events);
  void keep(std::string_view bytes);

  std::size_t limit_;
  std::string line_;
  std::string name_;
  std::string data_;
  std::string id_;
  bool first_line_ = true;
  bool after_cr_ = false;  // A LF right after it belongs to the same line end.
};

}  // namespace hone::net
