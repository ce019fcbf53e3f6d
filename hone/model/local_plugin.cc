// The engine plugin: LocalEngine by llama.cpp. Only this plugin is linked to libllama.
#include <dlfcn.h>
#include <ggml-backend.h>
#include <llama.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hone/model/local_chat.h"
#include "hone/model/local_engine.h"

namespace hone::model {
namespace {

constexpr int kBatch = 256;
constexpr int kTopK = 40;

struct Free {
  void operator()(llama_model* model) const { llama_model_free(model); }
  void operator()(llama_context* context) const { llama_free(context); }
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
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

Owned<llama_sampler> make_sampler(const EngineRequest& request) {
  Owned<llama_sampler> chain(llama_sampler_chain_init(llama_sampler_chain_default_params()));
  if (request.temperature <= 0) {
    llama_sampler_chain_add(chain.get(), llama_sampler_init_greedy());
    return chain;
  }
  llama_sampler_chain_add(chain.get(), llama_sampler_init_top_k(kTopK));
  llama_sampler_chain_add(chain.get(),
                          llama_sampler_init_top_p(static_cast<float>(request.top_p), 1));
  llama_sampler_chain_add(chain.get(),
                          llama_sampler_init_temp(static_cast<float>(request.temperature)));
  llama_sampler_chain_add(chain.get(), llama_sampler_init_dist(request.seed));
  return chain;
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
    const auto chat_template = find_chat_template(*model_);
    if (!chat_template || !llama_model_has_decoder(model_.get())) {
      return {.fault = EngineFault::NotAChat};
    }
    chat_template_ = *chat_template;
    return make_context(asked);
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
    context_.reset(llama_init_from_model(model_.get(), parameters));
    if (!context_) return {.fault = EngineFault::NoMemory, .detail = last_error().take()};
    limit_ = limit;
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
    reply.cached_tokens = keep_common_start(prompt);
    reply.fault = read(prompt, reply.detail);
    reply.prompt_seconds = reading.seconds();
    if (reply.fault != EngineFault::None) return;
    const Stopwatch writing;
    write(request, std::min(request.max_tokens, room), reply);
    reply.answer_seconds = writing.seconds();
  }

  // At least the last token of a prompt is read again: its result is what the answer starts from.
  int keep_common_start(const std::vector<llama_token>& prompt) {
    const auto ends = std::mismatch(kept_.begin(), kept_.end(), prompt.begin(), prompt.end());
    auto common = static_cast<std::size_t>(ends.first - kept_.begin());
    common = std::min(common, prompt.size() - 1);
    forget_after(common);
    return static_cast<int>(kept_.size());
  }

  void forget_after(std::size_t count) {
    llama_memory_t memory = llama_get_memory(context_.get());
    if (llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(count), -1)) {
      kept_.resize(count);
    } else {
      // Recurrent models cannot go back part of the way.
      llama_memory_clear(memory, true);
      kept_.clear();
    }
  }

  EngineFault read(const std::vector<llama_token>& prompt, std::string& detail) {
    while (kept_.size() < prompt.size()) {
      const std::size_t count = std::min<std::size_t>(kBatch, prompt.size() - kept_.size());
      std::vector<llama_token> part(
          prompt.begin() + static_cast<std::ptrdiff_t>(kept_.size()),
          prompt.begin() + static_cast<std::ptrdiff_t>(kept_.size() + count));
      const EngineFault fault = decode(part, detail);
      if (fault != EngineFault::None) return fault;
    }
    return EngineFault::None;
  }

  EngineFault decode(std::vector<llama_token>& part, std::string& detail) {
    if (cancelled()) return EngineFault::Cancelled;
    const int status = llama_decode(
        context_.get(), llama_batch_get_one(part.data(), static_cast<std::int32_t>(part.size())));
    if (status == 0) {
      kept_.insert(kept_.end(), part.begin(), part.end());
      return EngineFault::None;
    }
    forget_after(kept_.size());
    if (cancelled()) return EngineFault::Cancelled;
    detail = "decoding failed with status " + std::to_string(status) + "; " + last_error().take();
    return EngineFault::Internal;
  }

  void write(const EngineRequest& request, int longest, EngineReply& reply) {
    const llama_vocab& vocab = *llama_model_get_vocab(model_.get());
    const Owned<llama_sampler> sampler = make_sampler(request);
    while (reply.output_tokens < longest) {
      const llama_token token = llama_sampler_sample(sampler.get(), context_.get(), -1);
      reply.complete = llama_vocab_is_eog(&vocab, token);
      if (reply.complete) return;
      ++reply.output_tokens;
      request.piece(token_text(vocab, token));
      if (reply.output_tokens == longest) return;
      std::vector<llama_token> next{token};
      reply.fault = decode(next, reply.detail);
      if (reply.fault != EngineFault::None) return;
    }
  }

  bool cancelled() const {
    return request_ != nullptr && request_->cancelled && request_->cancelled();
  }

  Owned<llama_model> model_;
  Owned<llama_context> context_;
  std::string chat_template_;
  int limit_ = 0;
  std::vector<llama_token> kept_;  // What the context has read, in order.
  const EngineRequest* request_ = nullptr;
};

}  // namespace
}  // namespace hone::model

extern "C" __attribute__((visibility("default"))) hone::model::LocalEngine* hone_local_engine_1() {
  return new hone::model::LlamaEngine;
}
