// A language that a worker runs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "hone/base/json.h"
#include "hone/core/code.h"

namespace hone::worker {

// Made once in the zygote, with all that it will ever load; used in the workers forked from it, one
// call at a time. An implementation never throws out of answer().
class Interpreter {
 public:
  virtual ~Interpreter() = default;
  virtual std::string version() const = 0;  // "3.11.2"
  virtual core::CodeResult answer(const core::CodeRequest& request) = 0;
  // A check that has what most checks have. Answered in the zygote, it fills the caches of the
  // language.
  virtual core::CodeRequest sample() const = 0;
  // In the zygote, before workers are forked: what is there now will stay.
  virtual void settle() {}
  // In a new worker, before its first call: what it may use beside the language itself.
  virtual void limit_memory(std::size_t) {}
};

// Null where the language is not built in.
std::unique_ptr<Interpreter> make_python();
std::unique_ptr<Interpreter> make_lua();
std::unique_ptr<Interpreter> make_prolog();

}  // namespace hone::worker
