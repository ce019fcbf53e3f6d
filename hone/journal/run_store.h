// The reading side of the store: which runs there are and what happened in them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hone/journal/projection.h"
#include "hone/journal/record.h"

namespace hone::journal {

// Sees what is committed, also by processes that write now. Works where nothing can be written.
// Threads: one at a time. Errors: hone::Error, as sqlite::Database; Unsupported for a store of
// another version.
class RunStore {
 public:
  // A store that does not exist yet has no runs.
  explicit RunStore(const std::string& path);
  ~RunStore();

  // All runs, the latest first. A running run whose process is dead is interrupted.
  std::vector<RunLine> list();
  // The line of the run with this id or with an id that begins so. Throws NotFound, and
  // InvalidInput with the candidates when several do.
  RunLine find_run(std::string_view id_or_prefix);

  // Everything recorded of a run, by its whole id. Throws NotFound.
  RecordedRun recorded(std::string_view id);
  // The same as it stands there, in order.
  std::vector<Record> records(std::string_view id);
  // The run as its events make it; of a run that was killed, what was recorded until then.
  core::Run load(std::string_view id);

 private:
  struct State;
  std::int64_t number_of(std::string_view id);
  void for_each_record(std::string_view id, const std::function<void(Record)>& take);
  std::vector<RunLine> lines_from(std::string_view first_id, std::size_t most);

  std::string path_;
  std::unique_ptr<State> state_;  // Null while there is no store.
};

}  // namespace hone::journal
