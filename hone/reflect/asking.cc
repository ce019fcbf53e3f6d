#include "hone/reflect/asking.h"

#include <utility>

namespace hone::reflect {

async<core::Output> ask_for_output(core::Context context, core::Model& model,
                                   OutputRequest request) {
  const core::Context asking = context.at("ask", request.ask);
  core::ModelRequest asked;
  asked.role = request.role;
  asked.attempt = context.attempt;
  asked.messages = std::move(request.prompt.messages);
  asked.prompt = std::move(request.prompt.identity);
  asked.sampling = core::sampling_at(asking, request.sampling);
  asked.schema = std::move(request.schema);
  asked.drafts = request.drafts && context.events->wants_drafts();
  core::ModelReply reply = co_await model.complete(asking, asked);
  core::Output output;
  output.text = std::move(reply.text);
  output.finish = reply.finish;
  output.model = reply.model.empty() ? model.name() : std::move(reply.model);
  co_return output;
}

}  // namespace hone::reflect
