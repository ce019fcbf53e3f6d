// Roles made of ordinary functions, for embedding hone in a program and for tests.
//
//   core::FunctionGenerator generator([](const core::Run& run) { return core::Output{"…"}; });
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "hone/core/roles.h"

namespace hone::core {

// The functions run on the loop thread and must not block it for long.
class FunctionGenerator final : public Generator {
 public:
  explicit FunctionGenerator(std::function<Output(const Run&)> function)
      : function_(std::move(function)) {}
  async<Output> generate(Context, const Run& run) override { co_return function_(run); }

 private:
  std::function<Output(const Run&)> function_;
};

class FunctionEvaluator final : public Evaluator {
 public:
  explicit FunctionEvaluator(std::function<Evaluation(const Run&, const Output&)> function)
      : function_(std::move(function)) {}
  async<Evaluation> evaluate(Context, const Run& run, const Output& output) override {
    co_return function_(run, output);
  }

 private:
  std::function<Evaluation(const Run&, const Output&)> function_;
};

class FunctionReflector final : public Reflector {
 public:
  explicit FunctionReflector(std::function<Reflection(const Run&)> function)
      : function_(std::move(function)) {}
  async<Reflection> reflect(Context, const Run& run) override { co_return function_(run); }

 private:
  std::function<Reflection(const Run&)> function_;
};

class FunctionReviser final : public Reviser {
 public:
  explicit FunctionReviser(std::function<Output(const Run&)> function)
      : function_(std::move(function)) {}
  async<Output> revise(Context, const Run& run) override { co_return function_(run); }

 private:
  std::function<Output(const Run&)> function_;
};

class FunctionEscalation final : public Escalation {
 public:
  explicit FunctionEscalation(std::function<std::string(const Run&)> function)
      : function_(std::move(function)) {}
  async<std::string> escalate(Context, const Run& run) override { co_return function_(run); }

 private:
  std::function<std::string(const Run&)> function_;
};

}  // namespace hone::core
