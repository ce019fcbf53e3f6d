#include "hone/model/continued.h"

#include <algorithm>
#include <exception>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/event.h"
#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

constexpr std::string_view kGoOn =
    "Your answer was cut off at its length limit. Write what is missing, beginning with the very "
    "next character: repeat nothing, add no remark and no new code fence.";

constexpr std::size_t kLongestOverlap = 2'000;  // Bytes that a second half may repeat.
constexpr std::size_t kLeastOverlap = 12;       // Fewer are the same by chance.
constexpr std::string_view kFence = "```";

async<void> complete_into(core::Model& model, core::Context context,
                          const core::ModelRequest& request, core::ModelReply* reply) {
  *reply = co_await model.complete(std::move(context), request);
}

bool is_half(const core::ModelReply& reply) { return reply.finish == core::Finish::Length; }

bool can_be_joined(const core::ModelRequest& request, const core::ModelReply& half) {
  return !request.schema && half.tool_calls.empty() && !trim(half.text).empty();
}

core::ModelRequest request_for_rest(const core::ModelRequest& request, const std::string& half) {
  core::ModelRequest rest = request;
  rest.drafts = false;
  rest.messages.push_back({core::Speaker::Assistant, half});
  rest.messages.push_back({core::Speaker::User, std::string(kGoOn)});
  return rest;
}

core::ModelRequest request_with_room(const core::ModelRequest& request) {
  core::ModelRequest longer = request;
  const Tokens before = request.sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  longer.sampling.max_tokens = Tokens{2 * before.count};
  longer.drafts = false;
  return longer;
}

bool is_cancelled(const std::exception_ptr& failure) {
  return to_error(failure).kind() == ErrorKind::Cancelled;
}

// A further call: false, with its cost in `half`, when it failed.
async<bool> ask_further(core::Model& model, core::Context context,
                        const core::ModelRequest& request, core::ModelReply& half,
                        core::ModelReply* reply) {
  const std::exception_ptr failure = co_await caught(complete_into(model, context, request, reply));
  if (!failure) co_return true;
  if (is_cancelled(failure)) std::rethrow_exception(failure);
  half.usage += core::usage_of(failure);
  co_return false;
}

core::ModelReply joined(const core::Context& context, const core::ModelRequest& request,
                        core::ModelReply half, const core::ModelReply& rest) {
  std::string text = joined_halves(half.text, rest.text);
  if (request.drafts) {
    const std::string added = text.substr(half.text.size());
    if (!added.empty()) context.emit(core::Draft{request.attempt, added});
  }
  half.text = std::move(text);
  half.finish = rest.finish;
  half.tool_calls = rest.tool_calls;
  half.usage += rest.usage;
  return half;
}

// Asks again with more room. The half is taken back when there is something in its place.
async<core::ModelReply> made_again(core::Model& model, core::Context context,
                                   const core::ModelRequest& request, core::ModelReply half) {
  const core::ModelRequest longer = request_with_room(request);
  core::ModelReply whole;
  const bool is_answered = co_await ask_further(model, context, longer, half, &whole);
  if (!is_answered) co_return half;
  if (request.drafts && !half.text.empty()) {
    context.emit(core::Retracted{request.attempt, "the answer was cut off at its length limit"});
  }
  if (request.drafts) context.emit(core::Draft{request.attempt, whole.text});
  whole.usage += half.usage;
  co_return whole;
}

std::size_t fences_in(std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.find(kFence); at != std::string_view::npos; at = text.find(kFence, at + 3)) {
    ++count;
  }
  return count;
}

std::string_view without_new_fence(std::string_view first, std::string_view second) {
  const std::string_view start =
      second.substr(std::min(second.find_first_not_of(" \n"), second.size()));
  const bool is_open = fences_in(first) % 2 == 1;
  const auto line_end = start.find('\n');
  const bool opens = start.starts_with(kFence) && line_end != std::string_view::npos;
  // A fence with nothing after it closes the block.
  if (!is_open || !opens || trim(start.substr(3, line_end - 3)).empty()) return second;
  return start.substr(line_end + 1);
}

std::size_t overlap(std::string_view first, std::string_view second) {
  std::size_t size = std::min({first.size(), second.size(), kLongestOverlap});
  for (; size >= kLeastOverlap; --size) {
    if (first.ends_with(second.substr(0, size))) return size;
  }
  return 0;
}

}  // namespace

std::string joined_halves(std::string_view first, std::string_view second) {
  second = without_new_fence(first, second);
  second.remove_prefix(overlap(first, second));
  return std::string(first) + std::string(second);
}

async<core::ModelReply> Continued::complete(core::Context context,
                                            const core::ModelRequest& request) {
  core::ModelReply half = co_await model_->complete(context, request);
  if (!is_half(half) || !request.choices.empty()) co_return half;
  int step = 1;
  if (can_be_joined(request, half)) {
    const core::ModelRequest rest_request = request_for_rest(request, half.text);
    const core::Context at = context.at("continue", step++);
    core::ModelReply rest;
    const bool is_answered = co_await ask_further(*model_, at, rest_request, half, &rest);
    if (!is_answered) co_return half;
    if (!trim(rest.text).empty()) co_return joined(context, request, std::move(half), rest);
    half.usage += rest.usage;
  }
  const core::Context at = context.at("continue", step);
  co_return co_await made_again(*model_, at, request, std::move(half));
}

}  // namespace hone::model
