// Scores as people write them, with their scales: "0.8", "8/10", "85 %", "4 out of 5",
// "3 (scale 1-5)".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hone::prompt {

// The worst and the best value of a scale; low < high.
struct Scale {
  double low = 0;
  double high = 1;

  bool operator==(const Scale&) const = default;
};

// A scale in words: "1-5", "scale of 1 to 5", "out of 10", "/10". Absent if it is anything else.
std::optional<Scale> scale_from(std::string_view words);

// The value as a part of its scale: 0 is worst, 1 is best. Not clamped.
double on_scale(double value, const Scale& scale);

struct ScoreText {
  double value = 0;        // Converted from its scale; outside [0, 1] if the text says so.
  std::size_t length = 0;  // Bytes that number and scale take.

  bool operator==(const ScoreText&) const = default;
};

// The score at the start of `text`. With `stated`, a scale that was named before the number. Absent
// where there is no number, where what follows makes it another one ("0,9", "0.4-0.9", "0.2 or
// 0.9"), where two scales are named, and for digits in parentheses that are no scale.
std::optional<ScoreText> score_at(std::string_view text, std::optional<Scale> stated = {});

// The score that is the whole of `text`.
std::optional<double> score_in(std::string_view text, std::optional<Scale> stated = {});

}  // namespace hone::prompt
