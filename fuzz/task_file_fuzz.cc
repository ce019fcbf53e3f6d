// Task files: anything is either a task or an error that says where it is wrong, and a task that is
// written down and read again is the same task.
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hone/base/error.h"
#include "hone/task/task_file.h"
#include "hone/task/write.h"

namespace {

using namespace hone;
using hone::fuzz::require;

void write_and_read(const task::TaskFile& file) {
  const JsonText written = task::to_json_text(file);
  const task::TaskFile again = task::from_json_text(written, file.folder, file.task);
  require(task::to_json_text(again) == written, "a task that was written reads back the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // A file of this machine is no part of the input.
  const bool names_files =
      text.find("file:") != std::string_view::npos || text.find("ref") != std::string_view::npos;
  if (names_files) return 0;
  try {
    write_and_read(task::parse_task_file(text, "task.yaml", {}));
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::InvalidInput, "what is wrong with a task is InvalidInput");
    require(error.message().find("task.yaml") != std::string::npos, "an error names the file");
  }
  return 0;
}
