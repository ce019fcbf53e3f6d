// The engine plugin: LocalEngine by llama.cpp. Only this plugin is linked to libllama.
#include <dlfcn.h>
#include <ggml-backend.h>
#include <llama.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hone/model/local_chat.h"
#include "hone/model/local_constraint.h"
#include "hone/model/local_engine.h"
#include "hone/model/local_kept.h"
#include "hone/model/local_sample.h"
#include "hone/model/local_vectors.h"

namespace hone::model {
namespace {

constexpr int kBatch = 256;
// Conversations that are kept: the roles of a few runs.
constexpr int kSequences = 8;

struct Free {
  void operator()(llama_model* model) const { llama_model_free(model); }
  void operator()(llama_context* context) const { llama_free(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

// The engine logs through one callback for the process; its last error explains a failed load.
struct LastError {
  std::mutex mutex;
  std::string text;

  static void log(ggml_log_level level, const char* text, void* self) {
    if (level != GGML_LOG_LEVEL_ERROR) return;
    auto& last = *static_cast<LastError*>(self);
    const std::lock_guard lock(last.mutex);
    last.text = text;
    while (!last.text.empty() && last.text.back() == '\n') last.text.pop_back();
  }
  std::string take() {
    const std::lock_guard lock(mutex);
    return std::exchange(text, {});
  }
};

LastError& last_error() {
  static LastError last;
  return last;
}

// The processor's code is a library of its own, one for each kind of processor, in the folder
// `engine` beside this plugin; an engine from elsewhere knows where its libraries are.
void load_backends() {
  llama_log_set(LastError::log, &last_error());
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&load_backends), &self) != 0) {
    const auto folder = std::filesystem::path(self.dli_fname).parent_path() / "engine";
    if (std::filesystem::is_directory(folder)) ggml_backend_load_all_from_path(folder.c_str());
  }
  if (ggml_backend_reg_count() == 0) ggml_backend_load_all();
}

bool continues(float, void* model) {
  const auto& asked = *static_cast<const EngineModel*>(model);
  return !asked.cancelled || !asked.cancelled();
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class LlamaEngine final : public LocalEngine {
 public:
  EngineLoaded load(const EngineModel& model) override {
    try {
      return load_model(model);
    } catch (const std::exception& error) {
      return {.fault = EngineFault::Internal, .detail = error.what()};
    }
  }

  EngineReply complete(const EngineRequest& request) override {
    EngineReply reply;
    try {
      request_ = &request;
      answer(request, reply);
    } catch (const std::exception& error) {
      reply.fault = EngineFault::Internal;
      reply.detail = error.what();
    }
    request_ = nullptr;
    return reply;
  }

  EngineVectors encode(const std::vector<std::string>& texts) override {
    EngineVectors reply;
    try {
      for (const std::string& text : texts) reply.vectors.push_back(encoder_->of(text));
    } catch (const std::exception& error) {
      reply.fault = EngineFault::Internal;
      reply.detail = error.what();
    }
    return reply;
  }

 private:
  EngineLoaded load_model(const EngineModel& asked) {
    static std::once_flag once;
    std::call_once(once, load_backends);
    last_error().take();
    llama_model_params parameters = llama_model_default_params();
    parameters.progress_callback = continues;
    parameters.progress_callback_user_data = const_cast<EngineModel*>(&asked);
    model_.reset(llama_model_load_from_file(asked.path.c_str(), parameters));
    if (!model_) {
      const bool cancelled = asked.cancelled && asked.cancelled();
      return {.fault = cancelled ? EngineFault::Cancelled : EngineFault::Unreadable,
              .detail = last_error().take()};
    }
    if (asked.encodes) return make_encoder(asked);
    const auto chat_template = find_chat_template(*model_);
    if (is_embedding_model(*model_)) return {.fault = EngineFault::NotAWriter};
    if (!chat_template) return {.fault = EngineFault::NotAChat};
    chat_template_ = *chat_template;
    return make_context(asked);
  }

  EngineLoaded make_encoder(const EngineModel& asked) {
    if (!is_embedding_model(*model_)) return {.fault = EngineFault::NotAnEncoder};
    encoder_.emplace(*model_, asked);
    return {.context = encoder_->context()};
  }

  EngineLoaded make_context(const EngineModel& asked) {
    const int limit = std::min(asked.context, llama_model_n_ctx_train(model_.get()));
    llama_context_params parameters = llama_context_default_params();
    parameters.n_ctx = static_cast<std::uint32_t>(limit);
    parameters.n_batch = parameters.n_ubatch = kBatch;
    parameters.n_threads = parameters.n_threads_batch = asked.threads;
    parameters.abort_callback = [](void* self) {
      return static_cast<LlamaEngine*>(self)->cancelled();
    };
    parameters.abort_callback_data = this;
    const bool divisible =
        !llama_model_is_recurrent(model_.get()) && !llama_model_is_hybrid(model_.get());
    parameters.n_seq_max = divisible ? kSequences : 1;
    parameters.kv_unified = true;
    context_.reset(llama_init_from_model(model_.get(), parameters));
    if (!context_) return {.fault = EngineFault::NoMemory, .detail = last_error().take()};
    limit_ = limit;
    kept_.emplace(KeptSequences::Options{.context = context_.get(),
                                         .count = static_cast<int>(parameters.n_seq_max),
                                         .divisible = divisible,
                                         .cancelled = [this] { return cancelled(); }});
    return {.context = limit};
  }

  void answer(const EngineRequest& request, EngineReply& reply) {
    const std::vector<llama_token> prompt = chat_tokens(*model_, chat_template_, request.messages);
    reply.input_tokens = static_cast<int>(prompt.size());
    const int room = limit_ - reply.input_tokens;
    if (room < std::min(request.least_tokens, request.max_tokens)) {
      reply.fault = EngineFault::TooLong;
      return;
    }
    const Stopwatch reading;
    reply.cached_tokens = kept_->begin(prompt);
    reply.fault = read_prompt(std::span(prompt).subspan(kept_->length()), reply);
    reply.prompt_seconds = reading.seconds();
    if (reply.fault != EngineFault::None) return;
    const Stopwatch writing;
    write(request, std::min(request.max_tokens, room), reply);
    reply.answer_seconds = writing.seconds();
  }

  EngineFault read_prompt(std::span<const llama_token> rest, EngineReply& reply) {
    if (cancelled()) return EngineFault::Cancelled;
    if (rest.empty()) return EngineFault::None;
    const EngineFault fault = read(rest, reply);
    if (fault != EngineFault::None) return fault;
    const auto now = logits();
    kept_->keep_result({now.begin(), now.end()});
    return fault;
  }

  EngineFault read(std::span<const llama_token> tokens, EngineReply& reply) {
    const EngineFault fault = kept_->read(tokens, reply.detail);
    if (fault == EngineFault::Internal) reply.detail += "; " + last_error().take();
    return fault;
  }

  std::span<const float> logits() const {
    return {llama_get_logits_ith(context_.get(), -1),
            static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get())))};
  }

  std::optional<Constraint> constraint_for(const EngineRequest& request, EngineReply& reply) {
    if (request.schema.empty()) return std::nullopt;
    try {
      if (!vocabulary_) vocabulary_.emplace(*llama_model_get_vocab(model_.get()));
      Constraint constraint(*vocabulary_, request.schema);
      reply.note = constraint.note();
      return constraint;
    } catch (const std::exception& error) {
      reply.note = std::string("the schema is not enforced: ") + error.what();
      return std::nullopt;
    }
  }

  void write(const EngineRequest& request, int longest, EngineReply& reply) {
    const auto first = kept_->result();
    if (!request.choices.empty()) {
      reply.probabilities = choice_probabilities(request.choices, *first, *context_, *kept_);
    }
    std::optional<Constraint> constraint = constraint_for(request, reply);
    Sampler sampler(request, constraint ? &*constraint : nullptr);
    llama_token token = sampler.pick(*first);
    while (put(token, request, reply)) {
      reply.complete = constraint && constraint->is_done();
      if (reply.complete || reply.output_tokens == longest) break;
      reply.fault = read(std::span(&token, 1), reply);
      if (reply.fault != EngineFault::None) break;
      token = sampler.pick(logits());
    }
    reply.constraint_seconds = sampler.constraint_seconds();
  }

  // Hands a token out; false when it ends the answer.
  bool put(llama_token token, const EngineRequest& request, EngineReply& reply) {
    const llama_vocab& vocab = *llama_model_get_vocab(model_.get());
    reply.complete = llama_vocab_is_eog(&vocab, token);
    if (reply.complete) return false;
    ++reply.output_tokens;
    request.piece(token_text(vocab, token));
    return true;
  }

  bool cancelled() const {
    return request_ != nullptr && request_->cancelled && request_->cancelled();
  }

  Owned<llama_model> model_;
  Owned<llama_context> context_;
  std::optional<TextVectors> encoder_;
  std::string chat_template_;
  int limit_ = 0;
  std::optional<KeptSequences> kept_;
  std::optional<Vocabulary> vocabulary_;  // Made for the first schema.
  const EngineRequest* request_ = nullptr;
};

}  // namespace
}  // namespace hone::model

extern "C" __attribute__((visibility("default"))) hone::model::LocalEngine* hone_local_engine_3() {
  return new hone::model::LlamaEngine;
}
