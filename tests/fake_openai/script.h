// The script of hone-fake-openai: a JSON list of replies to POST …/chat/completions.
//
//   [{"text": "Hello."},
//    {"status": 429, "headers": {"Retry-After": "0.1"}, "body": {"error": {"message": "busy"}}},
//    {"text": "Hello again.", "cut_after": 40, "role": "revise"}]
//
// Each request gets the first unused reply that fits it. Keys, all optional:
//   text       a completion with this text, streamed if the request asks for a stream
//   finish     its finish_reason; "stop"
//   usage      its usage object; {"prompt_tokens": 10, "completion_tokens": 5}; null for none
//   body       the body itself instead of `text`: a string as it is, anything else as JSON
//   stream     true: a `body` goes out event by event as text/event-stream; for `text`, whether it
//              is streamed whatever the request says
//   status     200
//   headers    further headers
//   contains   the reply fits only requests with this text in their body
//   role       for whom the reply is meant: shown in the log, no more
//   delay_ms   wait before the reply, and between the events of a stream
//   cut_after  close the connection after so many bytes of the body
//   repeat     true: the reply is never used up
#pragma once

#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/net/fake_server.h"

namespace hone::fake_openai {

// Threads: one at a time.
class Script {
 public:
  // Throws InvalidInput for what is no such list.
  explicit Script(std::string_view json);
  ~Script();

  net::FakeReply answer(const net::FakeRequest& request);

 private:
  struct Reply;
  std::vector<Reply> replies_;
};

}  // namespace hone::fake_openai
