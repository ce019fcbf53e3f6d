#include "hone/sandbox/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"

namespace hone::sandbox {
namespace {

using core::CodeEnd;
using core::CodeRequest;
using core::CodeResult;

constexpr std::chrono::seconds kGreeting{30};  // A machine may be busy.
constexpr std::size_t kPiece = 64 * 1024;

Secret make_secret() {
  Secret secret{};
  if (::getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size())) {
    process::fail_with("random numbers cannot be had", errno);
  }
  return secret;
}

std::string text_of(const CodeRequest& request) {
  Json call;
  call["use"] = core::to_string(request.use);
  call["code"] = request.code;
  call["test"] = request.test;
  call["shared"] = request.shared;
  call["trusted"] = request.trusted;
  call["timeout"] = request.limits.timeout.count();
  call["variables"] = request.variables.text;
  return dump(call);
}

CodeResult died(std::string message) {
  return {.end = CodeEnd::Died, .message = std::move(message)};
}

CodeResult result_of_end(int status) {
  if (WIFEXITED(status))
    return died(fmt::format("its process exited with {}", WEXITSTATUS(status)));
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGKILL || signal == SIGXCPU)
    return died("it used more processor time than it may");
  return died(fmt::format("its process crashed with signal {}", signal));
}

// An answer that the worker's own code wrote; others are not believed.
std::optional<CodeResult> result_from(std::string_view body) {
  const auto json = try_parse_json(body);
  if (!json || !json->is_object()) return std::nullopt;
  CodeResult result;
  const auto end = core::code_end_from(json->value("end", std::string()));
  if (!end) return std::nullopt;
  result.end = *end;
  if (json->contains("value")) result.value = JsonText{json->at("value").get<std::string>()};
  result.message = json->value("message", std::string());
  if (json->contains("line")) result.line = json->at("line").get<int>();
  if (json->contains("column")) result.column = json->at("column").get<int>();
  return result;
}

timespec time_until(Moment until) {
  const auto left = until - std::chrono::steady_clock::now();
  const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
  if (time <= 0) return {0, 0};
  return {time / 1'000'000'000, time % 1'000'000'000};
}

}  // namespace

Worker::Worker(process::Descriptor socket, const WorkerLimits& limits)
    : socket_(std::move(socket)) {
  greet();
  // Where it is gone, the call will find out.
  write_frame(socket_.number(), FrameType::Limits,
              {reinterpret_cast<const char*>(&limits), sizeof limits});
}

Worker::~Worker() { kill(); }

void Worker::kill() {
  if (process_.is_open()) ::syscall(SYS_pidfd_send_signal, process_.number(), SIGKILL, nullptr, 0);
  usable_ = false;
}

void Worker::greet() {
  FrameHead head;
  std::array<char, sizeof head + sizeof(pid_t)> frame{};
  int process = -1;
  const process::Descriptor nobody;
  const bool came = wait(std::chrono::steady_clock::now() + kGreeting, nobody) == Wait::Ready &&
                    receive_with(socket_.number(), frame.data(), frame.size(), process);
  process_ = process::Descriptor(process);
  std::memcpy(&head, frame.data(), sizeof head);
  // It says nothing before it is asked; its zygote says that it has ended.
  const bool ended = came && wait(std::chrono::steady_clock::now(), nobody) == Wait::Ready;
  if (!came || ended || process < 0 || head.type != FrameType::Hello) {
    throw Error(ErrorKind::Unavailable, "no process to run code in could be started",
                "there may be too many processes; try again");
  }
  usable_ = true;
}

bool Worker::send(const CodeRequest& request, const Secret& secret) {
  const std::string proof(secret.data(), secret.size());
  return write_frame(socket_.number(), FrameType::Request, proof + text_of(request));
}

CodeResult Worker::answer(const CodeRequest& request, Moment until,
                          const process::Descriptor& cancelled) {
  const Secret secret = make_secret();
  ++calls_;
  usable_ = false;
  if (!send(request, secret)) return died("its process has ended");
  CodeResult result = receive(request, secret, until, cancelled);
  const bool ended = result.end == CodeEnd::TimedOut && request.shared.empty();
  usable_ = !ended && result.end != CodeEnd::Died && result.end != CodeEnd::TooLong;
  if (!usable_) kill();
  return result;
}

Worker::Wait Worker::wait(Moment until, const process::Descriptor& cancelled) const {
  std::array<pollfd, 2> waits{
      {{socket_.number(), POLLIN, 0}, {cancelled.number(), POLLIN, 0}}};  // -1 is passed over.
  while (true) {
    const timespec left = time_until(until);
    const int ready = ::ppoll(waits.data(), waits.size(), &left, nullptr);
    if (ready < 0 && errno != EINTR) process::fail_with("waiting for a worker", errno);
    if (ready == 0) return Wait::TimedOut;
    if (ready < 0) continue;
    return waits[1].revents != 0 ? Wait::Cancelled : Wait::Ready;
  }
}

CodeResult Worker::receive(const CodeRequest& request, const Secret& secret, Moment until,
                           const process::Descriptor& cancelled) {
  received_.clear();
  while (true) {
    const Wait came = wait(until, cancelled);
    if (came != Wait::Ready) kill();
    if (came == Wait::TimedOut) return {.end = CodeEnd::TimedOut};
    if (came == Wait::Cancelled) throw Error(ErrorKind::Cancelled, "the check was cancelled");
    if (!read_available()) return died("its process ended without an answer");
    if (auto result = read_frame(request, secret)) return *std::move(result);
  }
}

bool Worker::read_available() {
  const std::size_t before = received_.size();
  received_.resize(before + kPiece);
  ssize_t got = 0;
  do got = ::recv(socket_.number(), received_.data() + before, kPiece, MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  received_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 || (got < 0 && errno == EAGAIN);
}

std::optional<CodeResult> Worker::read_frame(const CodeRequest& request, const Secret& secret) {
  FrameHead head;
  if (received_.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, received_.data(), sizeof head);
  const std::size_t longest = request.limits.output + secret.size();
  // The code itself has written here: only the worker knows the secret.
  const auto forged = [] { return died("it wrote on the socket of its process"); };
  if (head.type != FrameType::End && head.length > longest) return forged();
  if (received_.size() < sizeof head + head.length) return std::nullopt;
  const std::string_view body = std::string_view(received_).substr(sizeof head, head.length);
  if (head.type == FrameType::End) {
    int status = 0;
    if (body.size() == sizeof status) std::memcpy(&status, body.data(), sizeof status);
    return result_of_end(status);
  }
  if (!body.starts_with(std::string_view(secret.data(), secret.size()))) return forged();
  if (head.type == FrameType::TooLong) return CodeResult{.end = CodeEnd::TooLong};
  const auto result = result_from(body.substr(secret.size()));
  return result ? *result : forged();
}

}  // namespace hone::sandbox
