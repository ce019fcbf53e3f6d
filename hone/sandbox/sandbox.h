// Runs code that nobody has to trust: Python, Lua and Prolog in processes that can reach no file,
// no network and no other process.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "hone/core/code.h"
#include "hone/sandbox/zygote.h"

namespace hone::sandbox {

struct SandboxOptions {
  std::string program;  // hone-worker; empty: looked for when it is needed (find_worker_program).
  // Run code even where the system lacks some of the protection.
  bool weak = false;
  std::size_t at_once = 8;  // Calls at the same time; others wait for their turn.
};

// One warm process for each language that is used, started with the first call, and a process forked
// from it for each call; trusted code shares processes with other trusted code. A process is killed
// at the end of its time by a thread that does nothing else, however busy the loop is, and when the
// call is cancelled.
//
// Threads: any loop thread; it may serve many runs at once. When it is destroyed no process is left.
class Sandbox final : public core::CodeRunner {
 public:
  explicit Sandbox(SandboxOptions options = {});
  ~Sandbox() override;
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  async<core::CodeResult> run(core::Context context, const core::CodeRequest& request) override;

  // The same on this thread, which it blocks, without cancellation. For benchmarks and tools.
  core::CodeResult run_here(const core::CodeRequest& request);
  // What there is for a language. Blocks. Throws as run() does, but not for missing protection.
  Protection protection(core::Language language);

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace hone::sandbox
