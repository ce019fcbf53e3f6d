#include "hone/core/effects.h"

namespace hone::core {

std::string_view to_string(Speaker speaker) {
  switch (speaker) {
    case Speaker::System:
      return "system";
    case Speaker::User:
      return "user";
    case Speaker::Assistant:
      return "assistant";
    case Speaker::Tool:
      return "tool";
  }
  return "user";
}

}  // namespace hone::core
