// The engine's side of one zygote: the warm process that workers of one language are forked from.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <string>

#include "hone/core/code.h"
#include "hone/process/descriptor.h"
#include "hone/sandbox/wire.h"

namespace hone::sandbox {

// What a zygote says of itself when it starts.
struct Protection {
  std::string version;  // Of the language; empty when the program was built without it.
  std::string missing;  // Walls that the system has not ("landlock, seccomp"); empty for none.
};

// Started by posix_spawn, without an environment of ours and without our descriptors. Threads: any.
// Its workers and it end when this object does, and when this process dies in whatever way.
class Zygote {
 public:
  // `program` is hone-worker. Throws Unavailable when it cannot be started or says nothing.
  Zygote(const std::string& program, core::Language language);
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;
  ~Zygote();

  const Protection& protection() const { return protection_; }
  // Asks for a worker and does not wait for it; returns our end of its socket, on which the zygote
  // says Hello. Throws Unavailable when the zygote is gone.
  process::Descriptor start_worker();

 private:
  void read_protection();

  pid_t id_ = -1;
  process::Descriptor control_;
  Protection protection_;
};

// hone-worker beside this program or in its libexec folder; throws NotFound.
std::string find_worker_program();

}  // namespace hone::sandbox
