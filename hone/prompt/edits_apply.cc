#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "hone/base/text.h"
#include "hone/prompt/edits.h"

namespace hone::prompt {
namespace {

constexpr std::size_t kShownColumns = 60;
constexpr std::size_t kMostProblems = 5;

struct Place {
  std::size_t at = 0;
  std::size_t number = 0;  // Of the edit, from 1.
  const Edit* edit = nullptr;

  std::size_t end() const { return at + edit->search.size(); }
};

// What is wrong with this edit alone.
std::optional<std::string> problem_of(std::string_view text, const Edit& edit) {
  if (edit.search.empty()) return "its search text is empty";
  const std::string shown = one_line(edit.search, kShownColumns);
  if (edit.search == edit.replace) return fmt::format("it changes nothing: `{}`", shown);
  const auto first = text.find(edit.search);
  if (first == std::string_view::npos) {
    return fmt::format("its search text does not occur (white space counts): `{}`", shown);
  }
  if (text.find(edit.search, first + 1) == std::string_view::npos) return std::nullopt;
  return fmt::format("its search text occurs more than once: `{}`", shown);
}

std::string told(std::vector<std::string> problems) {
  const std::size_t more = problems.size() - std::min(problems.size(), kMostProblems);
  problems.resize(problems.size() - more);
  const std::string rest = more == 0 ? "" : fmt::format("; and {} more", more);
  return join(problems, "; ") + rest;
}

std::vector<std::string> overlaps(const std::vector<Place>& places) {
  std::vector<std::string> problems;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i - 1].end() <= places[i].at) continue;
    const auto [first, second] = std::minmax(places[i - 1].number, places[i].number);
    problems.push_back(fmt::format("edits {} and {} overlap", first, second));
  }
  return problems;
}

std::string spliced(std::string_view text, const std::vector<Place>& places) {
  std::string result;
  std::size_t done = 0;
  for (const Place& place : places) {
    result += text.substr(done, place.at - done);
    result += place.edit->replace;
    done = place.end();
  }
  result += text.substr(done);
  return result;
}

}  // namespace

std::variant<std::string, UnfitEdits> apply_edits(std::string_view text,
                                                  const std::vector<Edit>& edits) {
  if (edits.empty()) return UnfitEdits{"there is no edit"};
  std::vector<Place> places;
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (const auto problem = problem_of(text, edits[i])) {
      problems.push_back(fmt::format("edit {}: {}", i + 1, *problem));
    } else {
      places.push_back({text.find(edits[i].search), i + 1, &edits[i]});
    }
  }
  std::ranges::sort(places, {}, &Place::at);
  if (problems.empty()) problems = overlaps(places);
  if (!problems.empty()) return UnfitEdits{told(std::move(problems))};
  std::string result = spliced(text, places);
  if (trim(result).empty()) return UnfitEdits{"the edits leave nothing"};
  if (result == text) return UnfitEdits{"the edits together change nothing"};
  return result;
}

}  // namespace hone::prompt
