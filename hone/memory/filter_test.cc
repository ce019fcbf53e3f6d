#include "hone/memory/filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"

namespace hone::memory {
namespace {

TEST(Filter, KnowsAllOperators) {
  const Json members = {{"agent", "a"},    {"count", 3},         {"flag", true},
                        {"none", nullptr}, {"deep", {{"x", 1}}}, {"dotted.name", "d"}};
  struct Case {
    std::string filter;
    bool fits;
  };
  const Case cases[] = {
      {R"({})", true},
      {R"({"agent": "a"})", true},
      {R"({"agent": "b"})", false},
      {R"({"agent": ["b", "a"]})", true},
      {R"({"agent": []})", false},
      {R"({"agent": {"$eq": "a"}})", true},
      {R"({"agent": {"$ne": "a"}})", false},
      {R"({"absent": {"$ne": "a"}})", true},
      {R"({"absent": "a"})", false},
      {R"({"count": {"$gt": 2}})", true},
      {R"({"count": {"$gt": 3}})", false},
      {R"({"count": {"$gte": 3, "$lt": 4}})", true},
      {R"({"count": {"$gte": 3, "$lt": 3}})", false},
      {R"({"count": {"$lte": 3.0}})", true},
      {R"({"count": 3.0})", true},
      {R"({"count": {"$gt": "2"}})", false},
      {R"({"agent": {"$lt": "b"}})", true},
      {R"({"absent": {"$lt": 4}})", false},
      {R"({"flag": {"$gt": false}})", false},
      {R"({"flag": true})", true},
      {R"({"flag": 1})", false},
      {R"({"count": {"$in": [1, 3]}})", true},
      {R"({"count": {"$nin": [1, 3]}})", false},
      {R"({"absent": {"$nin": [1]}})", true},
      {R"({"agent": {"$exists": true}})", true},
      {R"({"absent": {"$exists": false}})", true},
      {R"({"none": {"$exists": true}})", true},
      {R"({"none": null})", true},
      {R"({"deep.x": 1})", true},
      {R"({"deep.y": 1})", false},
      {R"({"dotted.name": "d"})", true},
      {R"({"$and": [{"agent": "a"}, {"count": 3}]})", true},
      {R"({"$and": [{"agent": "a"}, {"count": 4}]})", false},
      {R"({"$or": [{"agent": "b"}, {"count": 3}]})", true},
      {R"({"$or": [{"agent": "b"}, {"count": 4}]})", false},
      {R"({"$not": {"agent": "a"}})", false},
      {R"({"$not": {"$or": [{"agent": "b"}, {"count": 4}]}})", true},
      {R"({"count": {"$not": {"$gt": 5}}})", true},
      {R"({"agent": "a", "count": 4})", false},
  };
  for (const Case& one : cases) EXPECT_EQ(Filter(one.filter).fits(members), one.fits) << one.filter;
}

TEST(Filter, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {R"({"a": {"$like": 1}})", "filter: there is no operator `$like` for a member"},
      {R"({"a": {"b": 1}})", "filter: there is no operator `b` for a member"},
      {R"({"$xor": []})", "filter: there is no operator `$xor` around conditions"},
      {R"({"$and": {}})", "filter: `$and` wants a list"},
      {R"({"$or": []})", "filter: `$or` wants a list"},
      {R"({"$or": [1]})", "filter: a condition has to be an object"},
      {R"({"a": {"$in": 1}})", "filter: `$in` wants a list"},
      {R"({"a": {"$exists": 1}})", "filter: `$exists` wants true or false"},
      {R"([1])", "filter: a condition has to be an object"}};
  for (const auto& [text, message] : cases) {
    try {
      Filter filter(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), message);
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    }
  }
  EXPECT_THROW(Filter("{"), Error);
}

TEST(Filter, ReadsTheMembersOfALesson) {
  StoredLesson lesson{.text = "x"};
  lesson.task_type = "code";
  lesson.provenance.run = "r1";
  EXPECT_TRUE(Filter(R"({"task_type": "code", "provenance.run": "r1"})").fits(lesson));
  EXPECT_FALSE(Filter(R"({"task_type": "writing"})").fits(lesson));
  EXPECT_TRUE(Filter().fits(lesson));
}

}  // namespace
}  // namespace hone::memory
