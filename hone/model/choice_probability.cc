#include "hone/model/choice_probability.h"

#include <algorithm>

#include "hone/base/text.h"

namespace hone::model {
namespace {

// The text written so far, and how likely it was.
struct Path {
  std::string text;
  double probability = 1;
};

std::string without_margin(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string() : lower(text.substr(first));
}

// What an answer that begins like this says of the choices.
struct Fit {
  std::vector<std::size_t> said;      // Choices that it begins with.
  std::vector<std::size_t> possible;  // Choices that it may still become.
};

Fit fit_of(const std::string& text, std::span<const std::string> choices) {
  Fit fit;
  const std::string start = without_margin(text);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string choice = lower(trim(choices[i]));
    if (!choice.empty() && start.starts_with(choice)) fit.said.push_back(i);
    if (start.size() < choice.size() && choice.starts_with(start)) fit.possible.push_back(i);
  }
  return fit;
}

// The longest of the choices that were said: "nothing" says "nothing", not "no".
std::size_t longest(const std::vector<std::size_t>& said, std::span<const std::string> choices) {
  return *std::ranges::max_element(said, {},
                                   [&](std::size_t i) { return trim(choices[i]).size(); });
}

}  // namespace

std::vector<double> choice_probabilities(std::span<const std::string> choices,
                                         std::span<const TokenChoice> tokens) {
  if (choices.empty() || tokens.empty()) return {};
  std::vector<double> probabilities(choices.size());
  Path path;
  for (const TokenChoice& token : tokens) {
    double of_chosen = 0;
    for (const auto& [text, probability] : token.likely) {
      const double weight = path.probability * probability;
      const Fit fit = fit_of(path.text + text, choices);
      const bool is_chosen = text == token.chosen;
      if (is_chosen) of_chosen = probability;
      if (fit.said.empty() && fit.possible.size() == 1 && !is_chosen) {
        probabilities[fit.possible.front()] += weight;
      } else if (!fit.said.empty() && (fit.possible.empty() || !is_chosen)) {
        probabilities[longest(fit.said, choices)] += weight;
      }
    }
    path.text += token.chosen;
    path.probability *= of_chosen;
    const Fit fit = fit_of(path.text, choices);
    if (fit.possible.empty()) return probabilities;
  }
  const Fit fit = fit_of(path.text, choices);
  if (!fit.said.empty()) {
    probabilities[longest(fit.said, choices)] += path.probability;
  } else if (fit.possible.size() == 1) {
    probabilities[fit.possible.front()] += path.probability;
  }
  return probabilities;
}

}  // namespace hone::model
