// hone-worker LANGUAGE: runs code for hone, which starts it; of no use by hand.
#include <signal.h>

#include <cstdio>

#include "apps/worker/language.h"
#include "apps/worker/zygote.h"

namespace {

std::unique_ptr<hone::worker::Interpreter> interpreter_for(hone::core::Language language) {
  if (language == hone::core::Language::Lua) return hone::worker::make_lua();
  if (language == hone::core::Language::Prolog) return hone::worker::make_prolog();
  return hone::worker::make_python();
}

}  // namespace

// Under the address sanitizer too, what asks for too much memory hears of it and goes on, and what
// is freed is free.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:quarantine_size_mb=1";
}

int main(int count, char** arguments) {
  const auto language =
      count == 2 ? hone::core::language_from(arguments[1]) : std::optional<hone::core::Language>();
  if (!language) {
    std::fputs("hone-worker is started by hone; see `hone doctor`\n", stderr);
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  const auto interpreter = interpreter_for(*language);
  if (interpreter) return hone::worker::serve(*interpreter, *language);
  hone::worker::say_unsupported(*language);
  return 0;
}
