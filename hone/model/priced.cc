#include "hone/model/priced.h"

#include <exception>

#include "hone/async/cancel.h"
#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

async<void> complete_into(core::Model& model, core::Context context,
                          const core::ModelRequest& request, core::ModelReply* reply) {
  *reply = co_await model.complete(std::move(context), request);
}

// "openai:gpt-4.1" asks for "gpt-4.1".
std::string asked_model(const std::string& name) {
  const auto colon = name.find(':');
  return colon == std::string::npos ? std::string() : name.substr(colon + 1);
}

}  // namespace

// The name that answered says which version it was; some servers tell none, or one of their own.
void Priced::add_price(core::Usage& usage, const std::string& answered) const {
  if (usage.usd || usage.calls == 0) return;
  usage.usd = prices_.cost(provider_, answered, usage);
  const bool is_listed = prices_.find(provider_, answered) != nullptr;
  if (!is_listed) usage.usd = prices_.cost(provider_, asked_model(name()), usage);
}

async<core::ModelReply> Priced::complete(core::Context context, const core::ModelRequest& request) {
  core::ModelReply reply;
  const std::exception_ptr failure =
      co_await caught(complete_into(*model_, std::move(context), request, &reply));
  if (!failure) {
    add_price(reply.usage, reply.model);
    co_return reply;
  }
  core::Usage usage = core::usage_of(failure);
  if (usage == core::Usage{}) std::rethrow_exception(failure);
  add_price(usage, "");
  throw core::PaidError(to_error(failure), usage);
}

}  // namespace hone::model
