#include "hone/reflect/reviser.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hone/prompt/prompts.h"
#include "hone/reflect/asking.h"

namespace hone::reflect {
namespace {

constexpr double kTemperature = 0.8;
constexpr double kHotter = 0.2;
constexpr double kHottest = 1.2;

bool is_repeat(const core::Attempt& attempt) { return attempt.duplicate_of.has_value(); }

std::ptrdiff_t repeats_at_the_end(const core::Run& run) {
  const auto last_new = std::find_if_not(run.attempts.rbegin(), run.attempts.rend(), is_repeat);
  return std::distance(run.attempts.rbegin(), last_new);
}

}  // namespace

core::Sampling revision_sampling(const core::Run& run, core::Sampling sampling) {
  const double base = sampling.temperature.value_or(kTemperature);
  const double hotter = base + kHotter * static_cast<double>(repeats_at_the_end(run));
  sampling.temperature = std::max(base, std::min(hotter, kHottest));
  return sampling;
}

Regenerate::Regenerate(core::Model& model, core::Sampling sampling)
    : model_(model), sampling_(sampling) {}

async<core::Output> Regenerate::revise(core::Context context, const core::Run& run) {
  OutputRequest request{core::Role::Revise, prompt::regenerate_prompt(run),
                        revision_sampling(run, sampling_)};
  auto asking = ask_for_output(std::move(context), model_, std::move(request));
  core::Output output = co_await std::move(asking);
  output.strategy = "regenerate";
  co_return output;
}

FullRewrite::FullRewrite(core::Model& model, core::Sampling sampling)
    : model_(model), sampling_(sampling), regenerate_(model, sampling) {}

async<core::Output> FullRewrite::revise(core::Context context, const core::Run& run) {
  if (is_repeat(run.attempts.back())) {
    auto regenerating = regenerate_.revise(std::move(context), run);
    co_return co_await std::move(regenerating);
  }
  OutputRequest request{core::Role::Revise, prompt::full_rewrite_prompt(run),
                        revision_sampling(run, sampling_)};
  auto asking = ask_for_output(std::move(context), model_, std::move(request));
  core::Output output = co_await std::move(asking);
  output.strategy = "full_rewrite";
  co_return output;
}

}  // namespace hone::reflect
