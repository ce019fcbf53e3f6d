// Texts for a child process that are too long or too private for its environment.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace hone::process {

// Files (mode 0600) in a directory of their own (mode 0700) under $TMPDIR, for as long as the
// object lives. Threads: one at a time.
class PrivateFiles {
 public:
  // `contents`: name of a variable to the content of its file. Nothing is made for an empty map.
  // Throws InvalidInput for a name that is none, Unavailable when the disk does not take them.
  explicit PrivateFiles(const std::map<std::string, std::string>& contents);
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;
  ~PrivateFiles();

  // Name of each variable to the path of its file.
  const std::map<std::string, std::string>& paths() const { return paths_; }

 private:
  std::filesystem::path directory_;
  std::map<std::string, std::string> paths_;
};

}  // namespace hone::process
