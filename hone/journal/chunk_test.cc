#include "hone/journal/chunk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hone/journal/packing.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

class ChunkTest : public StoreTest {
 protected:
  ChunkTest() : database_(open_store(path())) {}
  std::string body_of(const std::vector<Record>& records) {
    Texts texts(database_);
    Folding folding(texts);
    Instant last;
    std::string body;
    for (const Record& record : records) append_record(record, 0, folding, last, body);
    return body;
  }

  sqlite::Database database_;
};

Record any_record() {
  Record record;
  record.kind = static_cast<Kind>(*rc::gen::inRange(0, 6));
  record.path = *rc::gen::string<std::string>();
  record.prompt = *rc::gen::string<std::string>();
  record.request = *rc::gen::element<std::string>("", "{}", R"({"a":"b"})");
  record.answer = *rc::gen::element<std::string>("null", R"({"event":"x"})");
  record.failed = *rc::gen::arbitrary<bool>();
  record.redacted = *rc::gen::arbitrary<bool>();
  record.at = Instant(Duration(*rc::gen::arbitrary<std::int64_t>() / 4));
  return record;
}

TEST_F(ChunkTest, GivesItsRecordsBack) {
  const auto comes_back = [&] {
    const auto count = *rc::gen::inRange(1, 6);
    std::vector<Record> records;
    for (int i = 0; i < count; ++i) records.push_back(any_record());
    RC_ASSERT(records_in(body_of(records)) == records);
  };
  EXPECT_TRUE(rc::check("records come back", comes_back));
}

TEST_F(ChunkTest, CutAnywhereIsCorruptOrHasFewerRecords) {
  Record record;
  record.path = "attempt_started";
  record.answer = R"({"event":"attempt_started","attempt":1})";
  const std::string body = body_of({record, record});
  for (std::size_t length = 1; length < body.size(); ++length) {
    const std::string cut = body.substr(0, length);
    try {
      EXPECT_EQ(records_in(cut).size(), 1u) << length;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << length;
    }
  }
}

TEST(Packer, GivesBackWhatWasPackedAfterTheSameBytes) {
  const auto comes_back = [] {
    Packer packer;
    const auto bytes = *rc::gen::string<std::string>();
    const auto before = *rc::gen::string<std::string>();
    const std::string packed(packer.pack(bytes, before));
    RC_ASSERT(packer.unpack(packed, before) == bytes);
    RC_ASSERT(std::string(packer.pack("after")).size() > 0);
  };
  EXPECT_TRUE(rc::check("bytes come back", comes_back));
}

TEST(Packer, DoesNotWriteAgainWhatStandsBefore) {
  Packer packer;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919 % 1000) + " ";
  const std::string before = text;
  EXPECT_LT(packer.pack(text, before).size(), 30u);
  EXPECT_GT(packer.pack(text).size(), 1000u);
}

TEST(Packer, TellsWhatIsNotPacked) {
  Packer packer;
  EXPECT_EQ(packer.unpack("not packed"), std::nullopt);
  EXPECT_EQ(packer.unpack(""), std::nullopt);
}

}  // namespace
}  // namespace hone::journal
