// Lets a person have a say in what is written next.
#pragma once

#include <string>
#include <utility>

#include "hone/core/roles.h"

namespace hone::reflect {

// From attempt `from` on the two roles see a task with the person's words at its end; judges and
// reflectors do not, and the record of the run has the task as it was. Threads and lifetime: as the
// roles, which outlive it.
class Guided final : public core::Generator, public core::Reviser {
 public:
  Guided(core::Generator& generator, core::Reviser& reviser, std::string guidance, int from)
      : generator_(generator), reviser_(reviser), guidance_(std::move(guidance)), from_(from) {}

  async<core::Output> generate(core::Context context, const core::Run& run) override;
  async<core::Output> revise(core::Context context, const core::Run& run) override;

 private:
  core::Run guided(const core::Context& context, const core::Run& run) const;

  core::Generator& generator_;
  core::Reviser& reviser_;
  std::string guidance_;
  int from_;
};

}  // namespace hone::reflect
