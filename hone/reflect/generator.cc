#include "hone/reflect/generator.h"

#include <utility>

#include "hone/prompt/prompts.h"
#include "hone/reflect/asking.h"

namespace hone::reflect {
namespace {

constexpr double kTemperature = 0.7;

}  // namespace

ModelGenerator::ModelGenerator(core::Model& model, core::Sampling sampling,
                               std::optional<JsonText> schema)
    : model_(model), sampling_(sampling), schema_(std::move(schema)) {
  if (!sampling_.temperature) sampling_.temperature = kTemperature;
}

async<core::Output> ModelGenerator::generate(core::Context context, const core::Run& run) {
  OutputRequest request{core::Role::Generate, prompt::generate_prompt(run), sampling_};
  request.schema = schema_;
  auto asking = ask_for_output(std::move(context), model_, std::move(request));
  co_return co_await std::move(asking);
}

}  // namespace hone::reflect
