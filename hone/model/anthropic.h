// Models behind the Anthropic Messages API.
#pragma once

#include <string>

#include "hone/core/effects.h"
#include "hone/model/anthropic_wire.h"
#include "hone/model/http_model.h"
#include "hone/net/http_client.h"

namespace hone::model {

// POST {base_url}/v1/messages (a base URL may end in /v1 itself); streams when the request asks for
// drafts. Source: Claude API reference, "Messages", version 2023-06-01.
//
// A schema is asked for by `output_config`, by a tool that has to be called where a model refuses
// that, and by the prompt alone where it refuses both; temperatures are left out where they are
// refused. Each refusal costs one call in the life of this object. ModelRequest::choices has no
// counterpart: replies have no probabilities.
//
// Errors: as core::Model says, and PaidError for an answer that broke off or was refused. A server
// that cannot be reached throws net::Unreachable. Threads: any; see net::HttpClient.
class Anthropic final : public core::Model {
 public:
  explicit Anthropic(HttpModelOptions options, net::HttpClient client = net::HttpClient());

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return options_.name; }

 private:
  net::HttpRequest post(const core::Context& context, const core::ModelRequest& request,
                        const AnthropicDialect& dialect) const;

  HttpModelOptions options_;
  net::HttpClient client_;
  Manners<AnthropicDialect> manners_;
};

}  // namespace hone::model
