// Verdicts that begin with yes or no, inside of this folder.
#pragma once

#include "hone/core/effects.h"
#include "hone/prompt/verdict.h"

namespace hone::evaluate {

// A reply to a question with the choices yes and no: its first word, and behind a no one fault in
// each line. Where the model told their probabilities, the score is that of yes against no, and the
// word does not count: it is one draw from them. A reply that does not begin so is read as any
// verdict is.
prompt::ReadVerdict read_word_verdict(const core::ModelReply& reply);

}  // namespace hone::evaluate
