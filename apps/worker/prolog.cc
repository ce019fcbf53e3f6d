// Prolog in a worker, through libswipl.
#include <SWI-Prolog.h>

#include <nlohmann/json.hpp>

#include "apps/worker/language.h"
#include "apps/worker/prolog_harness.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::worker {
namespace {

// Terms that a call made are gone when it ends.
class Frame {
 public:
  Frame() : frame_(PL_open_foreign_frame()) {}
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() { PL_discard_foreign_frame(frame_); }

 private:
  fid_t frame_;
};

bool call(const char* name, int arity, term_t arguments) {
  const predicate_t predicate = PL_predicate(name, arity, "hone");
  return PL_call_predicate(nullptr, PL_Q_CATCH_EXCEPTION | PL_Q_NODEBUG, predicate, arguments) != 0;
}

bool call_text(const char* text) {
  const Frame frame;
  const term_t goal = PL_new_term_ref();
  return PL_chars_to_term(text, goal) != 0 && PL_call(goal, nullptr) != 0;
}

std::string part_of(term_t answer, std::size_t index) {
  const term_t part = PL_new_term_ref();
  char* text = nullptr;
  std::size_t length = 0;
  if (_PL_get_arg(index, answer, part);
      PL_get_nchars(part, &length, &text, CVT_ATOMIC | BUF_MALLOC | REP_UTF8) == 0)
    return {};
  std::string result(text, length);
  PL_free(text);
  return to_utf8(result);
}

std::optional<int> number_of(const std::string& text) {
  const auto number = to_number(text);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

void load_harness() {
  const Frame frame;
  const term_t goal = PL_new_term_refs(2);
  const term_t text = goal + 1;
  const bool loaded =
      PL_put_string_chars(text, kPrologHarness) != 0 &&
      PL_chars_to_term(
          "[Text]>>setup_call_cleanup(open_string(Text, Stream), "
          "load_files(hone_harness, [stream(Stream)]), close(Stream))",
          goal) != 0 &&
      PL_call_predicate(nullptr, PL_Q_NORMAL, PL_predicate("call", 2, "user"), goal) != 0;
  if (!loaded) throw Error(ErrorKind::Internal, "Prolog could not load what hone adds to it");
}

class Prolog final : public Interpreter {
 public:
  Prolog();
  std::string version() const override;
  core::CodeResult answer(const core::CodeRequest& request) override;
  core::CodeRequest sample() const override;
  void settle() override;
  void limit_memory(std::size_t bytes) override;
};

Prolog::Prolog() {
  static char name[] = "hone-worker";
  static char quiet[] = "-q";
  static char no_signals[] = "--no-signals";
  static char no_tty[] = "--no-tty";
  static char no_packs[] = "--no-packs";
  static char no_start[] = "-f";
  static char none[] = "none";
  static char* arguments[] = {name, quiet, no_signals, no_tty, no_packs, no_start, none, nullptr};
  if (PL_initialise(7, arguments) == 0) {
    throw Error(ErrorKind::Internal, "Prolog could not be started");
  }
  // A thread would not survive the fork of a worker.
  call_text("set_prolog_flag(gc_thread, false)");
  load_harness();
  call_text("set_prolog_flag(autoload, false)");
}

core::CodeRequest Prolog::sample() const {
  core::CodeRequest request;
  request.language = core::Language::Prolog;
  request.code =
      "valid :- output(O), string_length(O, L), L > 1.\nscore(1).\n:- return(valid, true).\n";
  request.variables = JsonText{R"({"output":"aaaa","state":{"output":"aaaa"}})"};
  return request;
}

void Prolog::settle() { call_text("garbage_collect_atoms"); }

std::string Prolog::version() const {
  const int number = static_cast<int>(PL_version_info(PL_VERSION_SYSTEM));
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

void Prolog::limit_memory(std::size_t bytes) {
  const Frame frame;
  const term_t limit = PL_new_term_refs(1);
  // The address space holds what grows beside the stacks too.
  if (PL_put_int64(limit, static_cast<std::int64_t>(bytes / 2)) != 0) call("limit_stack", 1, limit);
}

core::CodeResult Prolog::answer(const core::CodeRequest& request) {
  Json text;
  text["code"] = request.code;
  text["variables"] = parse_json(request.variables.text);
  const std::string json = dump(text);
  const Frame frame;
  const term_t arguments = PL_new_term_refs(2);
  const bool answered =
      PL_put_chars(arguments, PL_STRING | REP_UTF8, json.size(), json.data()) != 0 &&
      call("answer", 2, arguments);
  if (!answered) return {.end = core::CodeEnd::Raised, .message = "it ended without an answer"};
  const term_t answer = arguments + 1;
  core::CodeResult result;
  result.end = core::code_end_from(part_of(answer, 1)).value_or(core::CodeEnd::Died);
  if (std::string value = part_of(answer, 2); !value.empty())
    result.value = JsonText{std::move(value)};
  result.message = part_of(answer, 3);
  result.line = number_of(part_of(answer, 4));
  result.column = number_of(part_of(answer, 5));
  return result;
}

}  // namespace

std::unique_ptr<Interpreter> make_prolog() { return std::make_unique<Prolog>(); }

}  // namespace hone::worker
