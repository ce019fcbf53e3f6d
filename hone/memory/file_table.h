// What is known of the files of a lesson folder, so that only those that changed are read again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "hone/sqlite/database.h"

namespace hone::memory {

struct KnownFile {
  std::string tenant;
  std::string lesson;  // Empty for a file that cannot be read.
  std::int64_t changed = 0;
  std::int64_t size = 0;
  std::string problem = {};  // Why it cannot be read.
};

// By path below the folder. Threads: one at a time, several processes.
class FileTable {
 public:
  explicit FileTable(const std::string& path);

  std::map<std::string, KnownFile> all();
  void set(const std::string& path, const KnownFile& file);
  void set_all(const std::map<std::string, KnownFile>& files);
  void remove(const std::string& path);
  std::optional<std::string> path_of(const std::string& tenant, const std::string& lesson);

 private:
  sqlite::Database database_;
};

}  // namespace hone::memory
