#include "hone/model/local.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/local_load.h"

namespace hone::model {
namespace {

// A default answer length shrinks to this where the context is short.
constexpr int kLeastAnswer = 256;
constexpr double kTemperature = 0.7;
constexpr double kTopP = 0.95;

int positive_from_environment(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  const auto number = to_number(text);
  if (!number || *number < 1 || *number > 1e6 || *number != static_cast<int>(*number)) {
    throw Error(ErrorKind::InvalidInput,
                std::string(variable) + " is `" + text + "`, not a positive whole number");
  }
  return static_cast<int>(*number);
}

std::uint32_t seed_for(const core::Context& context, const core::Sampling& sampling) {
  const std::uint64_t seed = sampling.seed               ? *sampling.seed
                             : context.random != nullptr ? context.random->next()
                                                         : std::random_device()();
  return static_cast<std::uint32_t>(seed ^ (seed >> 32));
}

EngineRequest engine_request(const core::Context& context, const core::ModelRequest& request) {
  const core::Sampling& sampling = request.sampling;
  const Tokens longest = sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  EngineRequest engine;
  for (const core::Message& message : request.messages) {
    engine.messages.push_back({std::string(to_string(message.speaker)), message.text});
  }
  engine.max_tokens = static_cast<int>(std::clamp<std::int64_t>(longest.count, 1, 1'000'000));
  engine.least_tokens = sampling.max_tokens ? engine.max_tokens : kLeastAnswer;
  engine.temperature = sampling.temperature.value_or(kTemperature);
  engine.top_p = sampling.top_p.value_or(kTopP);
  if (engine.temperature > 0) engine.seed = seed_for(context, sampling);
  if (request.schema) engine.schema = request.schema->text;
  engine.choices = request.choices;
  return engine;
}

std::string in_brackets(const std::string& detail) {
  return detail.empty() ? std::string() : " (" + one_line(detail, 200) + ")";
}

Error too_long(const LocalJob& job) {
  const int answer = std::min(job.request.max_tokens, job.request.least_tokens);
  const std::string room = std::to_string(std::max(0, job.context - answer));
  return {ErrorKind::InvalidInput,
          "the prompt has " + std::to_string(job.reply.input_tokens) +
              " tokens, but the local model's context of " + std::to_string(job.context) +
              " holds " + room + " beside an answer of " + std::to_string(answer),
          "shorten the input, lower --max-tokens, or raise HONE_LOCAL_CONTEXT up to the model's "
          "limit"};
}

// Throws what kept the job from an answer.
void check(const LocalJob& job) {
  if (job.failure) std::rethrow_exception(job.failure);
  if (job.reply.fault == EngineFault::None) return;
  if (job.reply.fault == EngineFault::TooLong) throw too_long(job);
  if (job.reply.fault == EngineFault::Cancelled) {
    throw Error(ErrorKind::Cancelled, "the local model was asked to stop");
  }
  throw Error(ErrorKind::Internal, "the local model failed" + in_brackets(job.reply.detail));
}

core::ModelReply to_reply(const EngineReply& engine, std::string text, std::string model) {
  core::ModelReply reply;
  reply.text = std::move(text);
  reply.finish = engine.complete ? core::Finish::Complete : core::Finish::Length;
  reply.model = std::move(model);
  reply.usage.calls = 1;
  reply.usage.input = Tokens{engine.input_tokens};
  reply.usage.output = Tokens{engine.output_tokens};
  reply.usage.cached = Tokens{engine.cached_tokens};
  reply.usage.usd = Usd{0};
  reply.probabilities = engine.probabilities;
  return reply;
}

// The loop's side of a job: passes drafts on and notices deadlines and cancellation.
struct Listener {
  LocalThread& thread;
  std::shared_ptr<LocalJob> job;
  core::Context context;
  bool drafts = false;
  CharacterPieces pieces;
  std::string text;
  bool expired = false;
  bool withdrawn = false;

  void hear(std::string characters) {
    if (characters.empty()) return;
    text += characters;
    if (drafts) context.emit(core::Draft{context.attempt, std::move(characters)});
  }
  void stop() {
    job->cancel();
    withdrawn = withdrawn || thread.withdraw(job);
  }
  void look_at_deadline() {
    if (expired || !context.deadline || context.clock->now() < *context.deadline) return;
    expired = true;
    stop();
  }
  void retract(const std::string& reason) const {
    if (drafts && !text.empty()) context.emit(core::Retracted{context.attempt, reason});
  }
};

async<void> listen(Listener& listener) {
  bool finished = false;
  while (!finished && !listener.withdrawn) {
    const OneShot news = listener.job->news();
    co_await news.wait();
    LocalJob::News heard = listener.job->take();
    listener.hear(listener.pieces.add(heard.bytes));
    finished = heard.finished;
    const auto cancellation = co_await boost::asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != boost::asio::cancellation_type::none) listener.stop();
    listener.look_at_deadline();
  }
  listener.hear(listener.pieces.rest());
}

void check(const Listener& listener) {
  if (listener.withdrawn) listener.job->reply.fault = EngineFault::Cancelled;
  try {
    check(*listener.job);
  } catch (const Error& error) {
    listener.retract(error.message());
    if (listener.expired && error.kind() == ErrorKind::Cancelled) {
      throw Error(ErrorKind::DeadlineExceeded, "the local model did not finish in time",
                  "allow more time, or use a smaller model or a shorter answer");
    }
    throw;
  }
}

}  // namespace

LocalOptions local_options_from_environment() {
  LocalOptions options;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  options.threads = positive_from_environment("HONE_LOCAL_THREADS", std::max(1, cores - 1));
  options.context = positive_from_environment("HONE_LOCAL_CONTEXT", options.context);
  return options;
}

LocalModel::LocalModel(LocalWeights weights, LocalOptions options)
    : weights_(std::move(weights)),
      options_(std::move(options)),
      thread_([this](LocalJob& job) { serve(job); }) {}

LocalTimes LocalModel::last_times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

std::string LocalModel::last_note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

bool LocalModel::asked_to_stop(const LocalJob& job) {
  thread_.tick();
  return job.is_cancelled();
}

void LocalModel::load(const LocalJob& job) {
  if (engine_) return;
  const auto started = std::chrono::steady_clock::now();
  LoadedEngine loaded =
      load_engine(weights_, options_, EngineUse::Writing, [&] { return asked_to_stop(job); });
  context_ = loaded.context;
  engine_ = std::move(loaded.engine);
  const std::lock_guard lock(mutex_);
  times_.load = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

void LocalModel::serve(LocalJob& job) {
  load(job);
  job.context = context_;
  job.request.piece = [&job](std::string_view bytes) { job.push(bytes); };
  job.request.cancelled = [this, &job] { return asked_to_stop(job); };
  job.reply = engine_->complete(job.request);
  const std::lock_guard lock(mutex_);
  times_.prompt = job.reply.prompt_seconds;
  times_.answer = job.reply.answer_seconds;
  times_.schema = job.reply.constraint_seconds;
  note_ = job.reply.note;
}

async<core::ModelReply> LocalModel::complete(core::Context context,
                                             const core::ModelRequest& request) {
  const auto job = std::make_shared<LocalJob>(engine_request(context, request));
  Listener listener{.thread = thread_,
                    .job = job,
                    .context = context,
                    .drafts = request.drafts,
                    .pieces = {},
                    .text = {}};
  if (listener.context.attempt == 0) listener.context.attempt = request.attempt;
  const bool throws = co_await boost::asio::this_coro::throw_if_cancelled();
  co_await pending_cancellation_waits(true);
  thread_.post(job);
  co_await listen(listener);
  co_await boost::asio::this_coro::throw_if_cancelled(throws);
  check(listener);
  co_return to_reply(job->reply, std::move(listener.text), weights_.name);
}

LocalModels::LocalModels(Catalogue catalogue, LocalOptions options)
    : catalogue_(std::move(catalogue)), options_(std::move(options)) {}

std::shared_ptr<core::Model> LocalModels::get(std::string_view name) {
  LocalWeights weights = find_weights(catalogue_, name);
  const std::lock_guard lock(mutex_);
  auto& model = models_[weights.path];
  if (!model) model = std::make_shared<LocalModel>(std::move(weights), options_);
  return model;
}

}  // namespace hone::model
