#include "hone/memory/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::memory {
namespace {

constexpr std::size_t kIdDigits = 16;
constexpr std::size_t kLongestName = 64;
constexpr std::array<std::string_view, 4> kKinds{"lesson", "rule", "playbook", "decision"};
constexpr std::array<std::string_view, 5> kEndings{"failed", "partial", "succeeded", "decided",
                                                   "noted"};

template <class Enum, std::size_t Count>
std::optional<Enum> named(const std::array<std::string_view, Count>& names, std::string_view text) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
         c == '@' || static_cast<unsigned char>(c) >= 0x80;
}

std::string id_of(std::string_view text) { return sha256(text).substr(0, kIdDigits); }

void check_field(std::string_view name, std::string_view text, std::size_t longest) {
  if (!is_utf8(text)) {
    throw Error(ErrorKind::InvalidInput, fmt::format("the {} of a lesson is not UTF-8", name),
                "write it again as text");
  }
  if (text.size() <= longest) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("the {} of a lesson may have {} bytes, this has {}: {}", name, longest,
                          text.size(), one_line(text, 40)),
              "say it in one sentence; split what are several lessons");
}

}  // namespace

std::string_view to_string(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::optional<Kind> kind_from(std::string_view text) { return named<Kind>(kKinds, text); }
std::string_view to_string(Ending ending) { return kEndings[static_cast<std::size_t>(ending)]; }
std::optional<Ending> ending_from(std::string_view text) { return named<Ending>(kEndings, text); }

void check_name(std::string_view what, std::string_view name) {
  const bool fits = !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
                    std::ranges::all_of(name, is_in_name) && is_utf8(name);
  if (fits) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("`{}` cannot be the name of {} of lessons", one_line(name, 40), what),
              "use letters, digits, dots, dashes, underscores and @, no dot at the start, and at "
              "most 64 characters");
}

std::string lesson_id(const Owner& owner, const Provenance& provenance, Kind kind) {
  return id_of(fmt::format("learned\n{}\n{}\n{}\n{}", owner.tenant, provenance.run,
                           provenance.attempt, to_string(kind)));
}

std::string lesson_id(const Owner& owner, std::string_view text, Instant created) {
  return id_of(fmt::format("written\n{}\n{}\n{}\n{}", owner.tenant, owner.agent,
                           created.time_since_epoch().count(), text));
}

std::string fingerprint(const Owner& owner, std::string_view text) {
  std::string words;
  for (const char c : lower(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) == 0 && (byte >= 0x80 || std::ispunct(byte) == 0)) words += c;
  }
  // Signs can be all there is: "!=" and "==" are no duplicates.
  if (words.empty()) words = text;
  return id_of(fmt::format("text\n{}\n{}\n{}", owner.tenant, owner.agent, words));
}

bool is_lesson_id(std::string_view id) {
  return id.size() == kIdDigits && id.find_first_not_of("0123456789abcdef") == id.npos;
}

void check(const StoredLesson& lesson) {
  if (!is_lesson_id(lesson.id)) {
    throw Error(ErrorKind::InvalidInput,
                fmt::format("`{}` is no id of a lesson", one_line(lesson.id, 40)),
                "an id has 16 digits of 0-9 and a-f; leave it out to get a new one");
  }
  check_name("a tenant", lesson.owner.tenant);
  check_name("an agent", lesson.owner.agent);
  if (trim(lesson.text).empty()) {
    throw Error(ErrorKind::InvalidInput, "a lesson without text teaches nothing",
                "say in one sentence what to do the next time");
  }
  check_field("text", lesson.text, kLongestText);
  const core::Reflection& reflection = lesson.reflection;
  const std::pair<std::string_view, std::string_view> fields[] = {
      {"task type", lesson.task_type},
      {"tool", lesson.tool},
      {"conditions", lesson.conditions},
      {"task", lesson.task},
      {"run", lesson.provenance.run},
      {"evidence", lesson.provenance.evidence},
      {"reflection", reflection.text},
      {"field what_happened", reflection.what_happened},
      {"field what_went_wrong", reflection.what_went_wrong},
      {"field why", reflection.why},
      {"field do_differently", reflection.do_differently},
      {"field rule", reflection.rule},
      {"field principle", reflection.principle},
      {"field procedure", reflection.procedure}};
  for (const auto& [name, text] : fields) check_field(name, text, kLongestField);
}

std::string searched_text(const StoredLesson& lesson) {
  std::vector<std::string> parts;
  for (const std::string& part : {lesson.conditions, lesson.task, lesson.text}) {
    if (!part.empty()) parts.push_back(part);
  }
  return join(parts, "\n");
}

}  // namespace hone::memory
