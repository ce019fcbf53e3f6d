// A model for tests of roles: it answers from a list.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hone/base/error.h"
#include "hone/core/effects.h"

namespace hone::core {

// One answer of a FakeModel; may throw instead.
using FakeAnswer = std::function<ModelReply()>;

inline FakeAnswer reply(std::string text, Finish finish = Finish::Complete,
                        std::vector<double> probabilities = {}) {
  ModelReply reply;
  reply.text = std::move(text);
  reply.finish = finish;
  reply.model = "fake-1";
  reply.probabilities = std::move(probabilities);
  return [=] { return reply; };
}

inline FakeAnswer failure(ErrorKind kind) {
  return [=]() -> ModelReply { throw Error(kind, "it failed"); };
}

// Answers from a list and keeps what it was asked.
class FakeModel final : public Model {
 public:
  explicit FakeModel(std::deque<FakeAnswer> answers, std::string name = "fake:model")
      : answers_(std::move(answers)), name_(std::move(name)) {}

  async<ModelReply> complete(Context context, const ModelRequest& request) override {
    asked.push_back(request);
    paths.push_back(context.path);
    if (answers_.empty()) throw Error(ErrorKind::Internal, "asked too often");
    const FakeAnswer answer = std::move(answers_.front());
    answers_.pop_front();
    co_return answer();
  }
  std::string name() const override { return name_; }

  std::vector<ModelRequest> asked;
  std::vector<std::string> paths;

 private:
  std::deque<FakeAnswer> answers_;
  std::string name_;
};

}  // namespace hone::core
