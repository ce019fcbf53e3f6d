#include "hone/net/sse.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "hone/base/error.h"

namespace hone::net {
namespace {

using Events = std::vector<ServerSentEvent>;

struct Case {
  std::string name;
  std::string stream;
  Events events;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"OneLine", "data: hello\n\n", {{"message", "hello", ""}}},
      {"OnlyOneSpaceIsDropped",
       "data:  a\n\ndata:b\n\n",
       {{"message", " a", ""}, {"message", "b", ""}}},
      {"CarriageReturns", "data: a\rdata: b\r\r", {{"message", "a\nb", ""}}},
      {"CarriageReturnLineFeeds", "data: a\r\ndata: b\r\n\r\n", {{"message", "a\nb", ""}}},
      {"MixedLineEnds",
       "data: a\r\n\ndata: b\n\rdata: c\r\r\n",
       {{"message", "a", ""}, {"message", "b", ""}, {"message", "c", ""}}},
      {"ByteOrderMark",
       "\xEF\xBB\xBF"
       "data: a\n\n",
       {{"message", "a", ""}}},
      {"ByteOrderMarkLaterIsText",
       "data: \xEF\xBB\xBF"
       "a\n\n",
       {{"message",
         "\xEF\xBB\xBF"
         "a",
         ""}}},
      {"Comments", ": keep-alive\n\n:\ndata: a\n: x\n\n", {{"message", "a", ""}}},
      {"EventName",
       "event: delta\ndata: a\n\ndata: b\n\n",
       {{"delta", "a", ""}, {"message", "b", ""}}},
      {"NameWithoutDataIsDropped", "event: ping\n\ndata: a\n\n", {{"message", "a", ""}}},
      {"EmptyDataLineIsAnEvent", "data\n\n", {{"message", "", ""}}},
      {"TwoEmptyDataLines", "data\ndata\n\n", {{"message", "\n", ""}}},
      {"IdStays", "id: 7\ndata: a\n\ndata: b\n\n", {{"message", "a", "7"}, {"message", "b", "7"}}},
      {"UnknownFields", "retry: 10\nfoo: bar\ndata: a\n\n", {{"message", "a", ""}}},
      {"NoEmptyLineAtTheEnd", "data: a\n\ndata: lost\n", {{"message", "a", ""}}},
      {"Json",
       "data: {\"a\":\"b: c\"}\n\ndata: [DONE]\n\n",
       {{"message", "{\"a\":\"b: c\"}", ""}, {"message", "[DONE]", ""}}},
  };
  return all;
}

Events parse_pieces(const std::vector<std::string>& pieces) {
  SseParser parser;
  Events events;
  for (const auto& piece : pieces) {
    for (auto& event : parser.feed(piece)) events.push_back(std::move(event));
  }
  return events;
}

void PrintTo(const Case& sample, std::ostream* out) { *out << sample.name; }

class EventStream : public testing::TestWithParam<Case> {};

TEST_P(EventStream, IsReadWhereverItIsSplit) {
  const Case& sample = GetParam();
  for (std::size_t at = 0; at <= sample.stream.size(); ++at) {
    const auto events = parse_pieces({sample.stream.substr(0, at), sample.stream.substr(at)});
    EXPECT_EQ(events, sample.events) << "split at byte " << at;
  }
  std::vector<std::string> bytes;
  for (const char byte : sample.stream) bytes.emplace_back(1, byte);
  EXPECT_EQ(parse_pieces(bytes), sample.events);
}

INSTANTIATE_TEST_SUITE_P(Samples, EventStream, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

// Any text of these pieces is a stream; they make line ends and fields likely.
rc::Gen<std::string> any_stream() {
  const auto piece = rc::gen::element<std::string>("data", "event", "id", ":", " ", "\r", "\n",
                                                   "\r\n", "x", "\xEF\xBB\xBF");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& parts) {
    std::string joined;
    for (const auto& part : parts) joined += part;
    return joined;
  });
}

RC_GTEST_PROP(SseParser, GivesTheSameEventsForAnySplit, ()) {
  const std::string stream = *any_stream();
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < stream.size();) {
    const auto length = *rc::gen::inRange<std::size_t>(1, stream.size() - at + 1);
    pieces.push_back(stream.substr(at, length));
    at += length;
  }
  RC_ASSERT(parse_pieces(pieces) == parse_pieces({stream}));
}

TEST(SseParser, RefusesAnEventLongerThanItsLimit) {
  SseParser parser(16);
  EXPECT_EQ(parser.feed("data: 0123456\n\n").size(), 1U);
  try {
    parser.feed("data: 0123456789abcdef");
    FAIL() << "the event was kept";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  }
}

TEST(SseParser, CountsAllLinesOfAnEventAgainstItsLimit) {
  SseParser parser(64);
  const auto many = [&] {
    for (int i = 0; i < 20; ++i) parser.feed("data: 0123456789\n");
  };
  EXPECT_THROW(many(), Error);
}

}  // namespace
}  // namespace hone::net
