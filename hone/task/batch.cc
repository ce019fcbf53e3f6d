#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/task/read.h"

namespace hone::task {
namespace {

// Runs `read` for one row; what goes wrong begins with the place of the row.
template <class Read>
auto of_row(const InputRow& row, Read read) {
  try {
    return read();
  } catch (Error& failure) {
    throw failure.while_doing(row.place);
  }
}

// What messages call the file, what is in it, and where its files are.
struct Source {
  std::string name;
  std::string text;
  std::filesystem::path folder;
};

TaskBatch batch_of(const Source& source, std::string task_name, std::span<const InputRow> rows) {
  TaskBatch batch;
  if (rows.empty()) return batch;
  const yaml::Document document = yaml::parse(source.text, source.name);
  const yaml::Fields fields = task_fields(document);
  Files files(source.name, source.folder);
  // A prompt from a file is read once for each row.
  batch.file =
      of_row(rows.front(), [&] { return read_task_file(fields, files, rows.front().value); });
  batch.file.folder = source.folder;
  batch.file.task.name = std::move(task_name);
  for (const InputRow& row : rows) {
    Files again(source.name, source.folder);
    batch.tasks.push_back(of_row(row, [&] { return read_task(fields, again, row.value); }));
    batch.tasks.back().name = batch.file.task.name;
  }
  return batch;
}

}  // namespace

TaskBatch load_task_batch(const std::filesystem::path& file, std::span<const InputRow> rows) {
  const Source source{file.string(), task_text(file),
                      std::filesystem::absolute(file).parent_path()};
  return batch_of(source, file.stem().string(), rows);
}

TaskBatch batch_of_prompt(const std::string& prompt, std::span<const InputRow> rows) {
  const Json task = {{"task", prompt}};
  TaskBatch batch = batch_of({"the prompt", dump(task), {}}, one_line(trim(prompt), 60), rows);
  batch.file.keys.clear();
  return batch;
}

}  // namespace hone::task
