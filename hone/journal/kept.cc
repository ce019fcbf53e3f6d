#include "hone/journal/kept.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "hone/base/redact.h"
#include "hone/core/json_form.h"
#include "hone/journal/recording.h"

namespace hone::journal {
namespace {

// "attempt/3/evaluate/1-judge" is of attempt 3 and begins with "evaluate".
struct Place {
  int attempt = 0;
  bool evaluates = false;
};

std::optional<Place> place_of(std::string_view path) {
  constexpr std::string_view kAttempt = "attempt/";
  if (!path.starts_with(kAttempt)) return std::nullopt;
  path.remove_prefix(kAttempt.size());
  Place place;
  const auto read = std::from_chars(path.data(), path.data() + path.size(), place.attempt);
  if (read.ec != std::errc()) return std::nullopt;
  path.remove_prefix(static_cast<std::size_t>(read.ptr - path.data()));
  place.evaluates = path.starts_with("/evaluate");
  return place;
}

// What makes two requests of one kind the same. Placeholders have other numbers in each run.
std::string key_of(Kind kind, std::string request) {
  request = with_own_numbers(request);
  if (kind != Kind::Model) return fmt::format("{} {}", to_string(kind), request);
  Json json = parse_json(request);
  if (const auto inner = json.find("request"); inner != json.end()) inner->erase("sampling");
  return fmt::format("{} {}", to_string(kind), dump(json));
}

}  // namespace

Kept::Kept(RecordedRun original, int at, Taken taken)
    : original_(std::move(original)), at_(at), taken_(std::move(taken)) {
  for (std::size_t i = 0; i < original_.effects.size(); ++i) {
    const Record& record = original_.effects[i];
    by_path_[record.path] = i;
    by_request_.emplace(key_of(record.kind, record.request), i);
  }
}

Kept Kept::by_request(RecordedRun original, Taken taken) {
  Kept kept(std::move(original), 1, std::move(taken));
  kept.at_.reset();
  return kept;
}

const Record* Kept::at_path(const std::string& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : &original_.effects[found->second];
}

// The one at the same path first: samples of a judge differ in nothing else.
const Record* Kept::find_same_request(const Effect& effect, int attempt) const {
  const std::string key = key_of(effect.kind, effect.request);
  const Record* same = at_path(effect.path);
  if (same != nullptr && key_of(same->kind, same->request) == key) return same;
  const auto [first, last] = by_request_.equal_range(key);
  for (auto found = first; found != last; ++found) {
    const Record& record = original_.effects[found->second];
    const auto place = place_of(record.path);
    if (place && place->attempt == attempt && !used_.contains(&record)) return &record;
  }
  return nullptr;
}

const Record* Kept::find(const Effect& effect) const {
  if (!at_) {
    const Record* same = at_path(effect.path);
    return same != nullptr && with_own_numbers(same->request) == with_own_numbers(effect.request) &&
                   !same->failed
               ? same
               : nullptr;
  }
  const auto place = place_of(effect.path);
  if (!place || place->attempt >= *at_) return nullptr;
  return place->evaluates ? find_same_request(effect, place->attempt) : at_path(effect.path);
}

const Record* Kept::take(const Effect& effect) {
  const Record* found = find(effect);
  if (found == nullptr) return nullptr;
  used_.insert(found);
  if (taken_) taken_(*found);
  return found;
}

std::string free_of_cost(const Record& record) {
  const Json json = parse_json(record.answer);
  if (record.failed) return core::journal_text(static_cast<Error>(core::error_from_json(json)));
  if (record.kind != Kind::Model) return record.answer;
  core::ModelReply reply = core::model_reply_from_json(json);
  reply.usage = {};
  return core::journal_text(reply);
}

}  // namespace hone::journal
