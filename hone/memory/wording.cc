#include "hone/memory/wording.h"

#include "hone/base/sensitive.h"

namespace hone::memory {
namespace {

std::string_view wording_of(std::string_view kind) {
  if (kind == "EMAIL") return "an e-mail address";
  if (kind == "PHONE") return "a telephone number";
  if (kind == "CARD" || kind == "IBAN") return "an account number";
  for (const std::string_view part : {"HOST", "URL", "IP", "ADDRESS"}) {
    if (kind.find(part) != kind.npos) return "an internal address";
  }
  return "a credential";
}

}  // namespace

std::string generic(std::string_view text) {
  const Redaction all;
  std::string clean;
  std::size_t at = 0;
  while (const auto found = find_sensitive(text, at, all)) {
    clean.append(text.substr(at, found->begin - at)).append(wording_of(found->kind));
    at = found->end;
  }
  return clean.append(text.substr(at));
}

StoredLesson generic(StoredLesson lesson) {
  core::Reflection& reflection = lesson.reflection;
  for (std::string* text :
       {&lesson.text, &lesson.conditions, &lesson.task, &lesson.provenance.evidence,
        &reflection.text, &reflection.what_happened, &reflection.what_went_wrong, &reflection.why,
        &reflection.do_differently, &reflection.rule, &reflection.principle,
        &reflection.procedure}) {
    if (!text->empty()) *text = generic(*text);
  }
  return lesson;
}

}  // namespace hone::memory
