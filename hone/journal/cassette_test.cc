#include "hone/journal/cassette.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/digest.h"
#include "hone/journal/housekeeping.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

constexpr const char* kRun = "01jd0000000run01";

class CassetteTest : public StoreTest {
 protected:
  std::vector<Record> recorded() {
    record_run(path(), kRun);
    return RunStore(path()).records(kRun);
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST_F(CassetteTest, CarriesARunToAnotherStoreWhereItReplays) {
  const std::string cassette = to_cassette(recorded());
  const std::string other = directory_ / "other.db";
  add_run(other, from_cassette(cassette, "run.yaml"));
  RunStore store(other);
  EXPECT_EQ(to_cassette(store.records(kRun)), cassette);
  EXPECT_EQ(store.find_run(kRun).state, State::Finished);
  EXPECT_EQ(store.load(kRun), RunStore(path()).load(kRun));
  const auto replay = Recording::replay(store.recorded(kRun));
  AbsentModel absent("fake:rules");
  EXPECT_EQ(run_recorded(*replay, absent), store.load(kRun));
}

TEST_F(CassetteTest, CarriesNoProcessAndNoPlace) {
  RunHeader header = header_of(kRun);
  header.options.text =
      R"({"folder":"/home/someone/project/tasks","directory":"/home/someone/project","api_key_file":"/k"})";
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header);
    journal.flush();
  }
  const std::string cassette = to_cassette(RunStore(path()).records(kRun));
  EXPECT_EQ(cassette.find("someone"), std::string::npos) << cassette;
  EXPECT_EQ(cassette.find("/k"), std::string::npos) << cassette;
  EXPECT_EQ(cassette.find(header.process.host), std::string::npos) << cassette;
  EXPECT_NE(cassette.find("folder: tasks"), std::string::npos) << cassette;
  add_run(directory_ / "other.db", from_cassette(cassette, "run.yaml"));
  EXPECT_EQ(RunStore(directory_ / "other.db").find_run(kRun).state, State::Interrupted);
}

TEST_F(CassetteTest, SaysWhereARequestWasEdited) {
  const std::string cassette = to_cassette(recorded());
  const std::string edited = replaced(cassette, "You write memos.", "You write notes.");
  const Error error = error_of([&] { (void)from_cassette(edited, "run.yaml"); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_TRUE(error.message().starts_with("run.yaml:")) << error.message();
  EXPECT_NE(error.message().find("the request at `attempt/1/generate/ask/1` was edited: its digest "
                                 "was"),
            std::string::npos)
      << error.message();
}

TEST_F(CassetteTest, AnEditedAnswerComesInAndAReplayTells) {
  const std::string cassette = to_cassette(recorded());
  const std::string edited = replaced(cassette, "\"Memo 1: m", "\"Note 1: m");
  const std::string other = directory_ / "other.db";
  add_run(other, from_cassette(edited, "run.yaml"));
  const auto replay = Recording::replay(RunStore(other).recorded(kRun));
  AbsentModel absent("fake:rules");
  const Error error = error_of([&] { (void)run_recorded(*replay, absent); });
  EXPECT_NE(error.message().find("Note 1"), std::string::npos) << error.message();
}

TEST_F(CassetteTest, RefusesWhatIsNoCassette) {
  const std::string cassette = to_cassette(recorded());
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"a: 1", "r.yaml:1:1: unknown key `a`"},
      {replaced(cassette, "format: 1", "format: 2"),
       "r.yaml:2:9: this cassette has format 2; this hone reads up to 1"},
      {replaced(cassette, "kind: header", "kind: heading"), "must be a kind of record"},
      {replaced(cassette, "kind: header", "kind: again"), "is the header of a run"},
      {replaced(cassette, "\"01jd0000000run01\"", "\"01jd0000000run02\""),
       "this is not the run that its header names"},
      {replaced(cassette, "finish: complete", "finish: perhaps"), "cannot be read"},
      {cassette.substr(0, cassette.size() / 2) + "\n\"", "r.yaml:"},
      {"format: 1\nrun: x\nrecords: []\n", "there is no record of a run"},
  };
  for (const Case& c : cases) {
    const Error error = error_of([&] { (void)from_cassette(c.text, "r.yaml"); });
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_NE(error.message().find(c.message), std::string::npos) << error.message();
  }
}

std::string any_text() {
  static const std::vector<std::string> kPieces{"word", " ",  "\n", "\n\n", "\"", "\xFF", "\t- ",
                                                "{",    ": ", "é",  "\x01", "#",  "\\n",  "---\n"};
  std::string text;
  for (int i = *rc::gen::inRange(0, 60); i > 0; --i) text += *rc::gen::elementOf(kPieces);
  return text;
}

Record header_record() {
  Record record;
  record.run = kRun;
  RunHeader header = header_of(kRun);
  header.seed = *rc::gen::arbitrary<std::uint64_t>();
  record.answer = to_text(header);
  record.kind = Kind::Header;
  record.at = header.started;
  return record;
}

Record call_record(std::int64_t sequence) {
  Record record;
  record.run = kRun;
  record.sequence = sequence;
  record.kind = Kind::Model;
  record.path = "attempt/" + std::to_string(sequence) + "/generate";
  core::ModelRequest request;
  request.messages = {{core::Speaker::User, any_text()}};
  request.sampling.seed = *rc::gen::arbitrary<std::uint64_t>();
  request.sampling.temperature = *rc::gen::inRange(0, 1000) / 700.0;
  record.request = core::journal_text(request);
  record.failed = *rc::gen::arbitrary<bool>();
  record.redacted = *rc::gen::arbitrary<bool>();
  record.at = Instant(Duration(*rc::gen::inRange<std::int64_t>(0, 1'800'000'000'000'000'000)));
  record.answer = record.failed ? core::journal_text(Error(ErrorKind::Refused, any_text()))
                                : core::journal_text(reply(any_text()));
  return record;
}

RC_GTEST_PROP(Cassette, OfACassetteIsTheSameCassette, ()) {
  std::vector<Record> records{header_record()};
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
    records.push_back(call_record(static_cast<std::int64_t>(records.size())));
  }
  const std::string cassette = to_cassette(records);
  std::vector<Record> again = from_cassette(cassette, "run.yaml");
  RC_ASSERT(to_cassette(again) == cassette);
  again.front().answer = records.front().answer;  // Without the process.
  RC_ASSERT(again == records);
}

}  // namespace
}  // namespace hone::journal
