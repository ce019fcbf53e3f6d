#include "hone/memory/lesson_store.h"

#include <fmt/format.h>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::memory {

StoredLesson find_lesson(LessonStore& store, const Scope& scope, std::string_view id_or_prefix) {
  if (auto exact = store.find(scope.tenant, std::string(id_or_prefix))) return *exact;
  std::vector<StoredLesson> found;
  for (StoredLesson& lesson : store.list(scope)) {
    if (!id_or_prefix.empty() && lesson.id.starts_with(id_or_prefix))
      found.push_back(std::move(lesson));
  }
  if (found.empty()) {
    throw Error(ErrorKind::NotFound,
                fmt::format("no lesson of tenant `{}` has an id that begins with `{}`",
                            scope.tenant, id_or_prefix),
                "see `hone lessons list`");
  }
  if (found.size() == 1) return found.front();
  std::vector<std::string> ids;
  for (const StoredLesson& lesson : found) ids.push_back(lesson.id);
  throw Error(ErrorKind::InvalidInput,
              fmt::format("`{}` is how {} lessons begin: {}", id_or_prefix, found.size(),
                          one_line(join(ids, ", "), 200)),
              "give more digits");
}

}  // namespace hone::memory
