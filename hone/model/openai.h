// Models behind the OpenAI Chat Completions API: the provider's own, and every compatible server.
#pragma once

#include <string>

#include "hone/core/effects.h"
#include "hone/model/http_model.h"
#include "hone/model/openai_wire.h"
#include "hone/net/http_client.h"

namespace hone::model {

// POST {base_url}/chat/completions; streams when the request asks for drafts. Source: OpenAI API
// reference, "Chat Completions"; what compatible servers leave out or add is tolerated.
//
// What a server refuses and can be left out (the schema, then JSON at all; temperatures, seeds,
// probabilities, the newer name of the longest answer) is left out from then on: each refusal costs
// one call in the life of this object. Usage that the server does not report is estimated and
// marked.
//
// Errors: as core::Model says, and PaidError for an answer that broke off or was refused. A server
// that cannot be reached throws net::Unreachable. Threads: any; see net::HttpClient.
class OpenAi final : public core::Model {
 public:
  explicit OpenAi(HttpModelOptions options, net::HttpClient client = net::HttpClient());

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return options_.name; }

 private:
  net::HttpRequest post(const core::Context& context, const core::ModelRequest& request,
                        const OpenAiDialect& dialect) const;

  HttpModelOptions options_;
  net::HttpClient client_;
  Manners<OpenAiDialect> manners_;
};

}  // namespace hone::model
