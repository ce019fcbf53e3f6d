// A folder for one store, removed at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace hone::simulation {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hone-simulation-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string store() const { return path_ / "store.db"; }

 private:
  std::filesystem::path path_;
};

}  // namespace hone::simulation
