#include "hone/process/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "hone/process/descriptor.h"

namespace hone::process {
namespace {

class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// What happens to descriptors and the working directory between fork and exec.
class Actions {
 public:
  explicit Actions(const Program& program) {
    ::posix_spawn_file_actions_init(&actions_);
    if (!program.directory.empty())
      ::posix_spawn_file_actions_addchdir_np(&actions_, program.directory.c_str());
    for (const auto& [theirs, ours] : program.descriptors)
      ::posix_spawn_file_actions_adddup2(&actions_, ours, theirs);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      if (!program.descriptors.contains(stream))
        ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
    }
    // Also those that other libraries forgot to mark.
    const int last = program.descriptors.empty() ? 0 : program.descriptors.rbegin()->first;
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, std::max(last, STDERR_FILENO) + 1);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

pid_t spawn(const Program& program) {
  std::vector<std::string> arguments{program.file};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> environment = program.environment;
  const Actions actions(program);
  const Attributes attributes;
  pid_t id = -1;
  const int failure = ::posix_spawn(&id, program.file.c_str(), actions.get(), attributes.get(),
                                    pointers(arguments).data(), pointers(environment).data());
  if (failure == 0) return id;
  const std::string& shown = program.shown.empty() ? program.file : program.shown;
  const std::string where =
      program.directory.empty() ? "" : fmt::format(" in {}", program.directory);
  fail_with(fmt::format("`{}` cannot be started{}", shown, where), failure);
}

}  // namespace hone::process
