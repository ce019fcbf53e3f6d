// Makes half answers whole.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "hone/core/effects.h"

namespace hone::model {

// A reply that reached the longest answer (Finish::Length) is gone on with once: the model sees its
// half and writes the rest. Where two halves cannot be joined (JSON of a schema, tool calls, an
// empty half, a model that adds nothing) it is asked again with twice the room. What is still half
// then stays Finish::Length. The reply has the usage of all calls.
//
// Requests with `choices` want the start of an answer only: they are left alone. When the further
// call fails, the half that was paid for is returned; cancellation passes on.
//
// Stands outside of the journal and the budget, for each call is an effect of its own, at
// PATH/continue/1 and, after a model that added nothing, PATH/continue/2.
// Drafts of a further answer come in one piece: the rest when it is joined, a whole one after the
// half was retracted.
// Threads: as core::Model.
class Continued final : public core::Model {
 public:
  explicit Continued(std::unique_ptr<core::Model> model) : model_(std::move(model)) {}

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return model_->name(); }

 private:
  std::unique_ptr<core::Model> model_;
};

// Both halves as one text: what the second repeats of the end of the first stands once, and a code
// fence that it opens inside an open one is left out.
std::string joined_halves(std::string_view first, std::string_view second);

}  // namespace hone::model
