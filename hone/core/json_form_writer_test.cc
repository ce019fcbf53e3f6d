#include "hone/core/json_form_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/json.h"

namespace hone::core {
namespace {

std::string written(std::string_view text) {
  JsonWriter writer;
  writer.text(text);
  return writer.take();
}

TEST(JsonWriter, EscapesWhatJsonEscapesAndNothingElse) {
  EXPECT_EQ(written("a\"\\/\b\f\n\r\t\x01\x1f\x7f é €"),
            "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f é €\"");
}

TEST(JsonWriter, EscapesWhereverItStands) {
  for (const char c : {'"', '\\', '\n', '\x01', '\x1f'}) {
    for (std::size_t before = 0; before < 90; ++before) {
      for (std::size_t after = 0; after < 80; after += 7) {
        const std::string text = std::string(before, ' ') + c + std::string(after, '~');
        EXPECT_EQ(parse_json(written(text)), Json(text));
        EXPECT_EQ(written(text).size(), before + after + (c < 0x20 && c != '\n' ? 8 : 4));
      }
    }
  }
}

RC_GTEST_PROP(JsonWriter, WritesWhatTheReaderReads, (const std::vector<unsigned char>& bytes)) {
  std::string text(bytes.begin(), bytes.end());
  for (char& c : text) c = static_cast<char>(c & 0x7f);
  RC_ASSERT(written(text) == dump(Json(text)));
}

TEST(JsonWriter, KeepsBytesThatAreNoText) {
  EXPECT_EQ(written("01234567\xff"), R"({"bytes":"3031323334353637ff"})");
}

}  // namespace
}  // namespace hone::core
