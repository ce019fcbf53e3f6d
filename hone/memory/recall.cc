#include "hone/memory/recall.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::memory {
namespace {

constexpr std::array<std::string_view, 3> kOrders{"hybrid", "similarity", "protocol"};
constexpr std::size_t kCandidates = 30;
// A candidate with less than this has nothing to do with the task at all: it is not reported.
constexpr double kSomething = 0.15;

void check_question(const Question& question) {
  check_name("a tenant", question.scope.tenant);
  if (question.scope.agent) check_name("an agent", *question.scope.agent);
  if (!(question.least >= 0 && question.least <= 1 && question.diversity >= 0 &&
        question.diversity <= 1)) {
    throw Error(ErrorKind::InvalidInput, "relevance and diversity lie between 0 and 1",
                "leave them out for the defaults");
  }
}

bool names_tool(const Question& question, const StoredLesson& lesson) {
  if (lesson.tool.empty()) return false;
  if (!question.tool.empty()) return lower(question.tool) == lower(lesson.tool);
  return contains_word(lower(question.text), lower(lesson.tool));
}

// Same task type, same tool, meaning to a tenth, the newest.
auto protocol_key(const Question& question, const Hit& hit) {
  const bool type = !question.task_type.empty() && hit.lesson.task_type == question.task_type;
  return std::tuple(!type, !names_tool(question, hit.lesson), -std::round(hit.relevance * 10),
                    -hit.lesson.created.time_since_epoch().count(), hit.lesson.id);
}

// Maximal marginal relevance (Carbonell and Goldstein, 1998): the next is the one that is relevant
// and least like those before it.
std::vector<Candidate> diverse(std::vector<Candidate> ranked, const Question& question,
                               const LessonIndex& index) {
  std::vector<Candidate> chosen;
  while (!ranked.empty() && chosen.size() < question.most) {
    const auto value = [&](const Candidate& candidate) {
      double alike = 0;
      for (const Candidate& before : chosen)
        alike = std::max(alike, index.cosine(before.place, candidate.place));
      const bool by_vector = question.order == Order::Similarity;
      const double own = by_vector ? candidate.cosine : candidate.relevance;
      return (1 - question.diversity) * own - question.diversity * alike;
    };
    std::vector<double> values;
    for (const Candidate& candidate : ranked) values.push_back(value(candidate));
    const auto best = std::ranges::max_element(values) - values.begin();
    chosen.push_back(std::move(ranked[static_cast<std::size_t>(best)]));
    ranked.erase(ranked.begin() + best);
  }
  return chosen;
}

}  // namespace

std::string_view to_string(Order order) { return kOrders[static_cast<std::size_t>(order)]; }

std::optional<Order> order_from(std::string_view text) {
  const auto found = std::ranges::find(kOrders, text);
  if (found == kOrders.end()) return std::nullopt;
  return static_cast<Order>(found - kOrders.begin());
}

LessonIndex& Recall::index(const std::string& tenant) {
  auto& index = indexes_[tenant];
  if (!index) index = std::make_unique<LessonIndex>(tenant, *embedder_);
  index->sync(store_);
  return *index;
}

std::size_t Recall::at_once() const {
  return embedding_ == Embedding::All ? std::numeric_limits<std::size_t>::max()
                                      : embedder_->at_once();
}

void Recall::give_up_embedder(const Error& failure) {
  problem_ = failure.message();
  embedder_ = &lexical_;
  indexes_.clear();
}

PlaceSet Recall::fitting(const Question& question, const LessonIndex& index) {
  PlaceSet places;
  for (const StoredLesson& lesson : store_.list(question.scope)) {
    const auto place = question.filter.fits(lesson) ? index.place_of(lesson.id) : std::nullopt;
    if (place) places.insert(*place);
  }
  return places;
}

std::vector<Hit> Recall::ordered(const Question& question, std::vector<Candidate> relevant,
                                 const LessonIndex& index) {
  if (question.order != Order::Protocol) relevant = diverse(std::move(relevant), question, index);
  std::vector<Hit> hits;
  for (const Candidate& candidate : relevant) {
    auto lesson = store_.find(question.scope.tenant, candidate.id);
    if (!lesson) continue;
    hits.push_back({std::move(*lesson), candidate.relevance, candidate.cosine, candidate.words});
  }
  if (question.order == Order::Protocol) {
    std::ranges::sort(hits, {}, [&](const Hit& hit) { return protocol_key(question, hit); });
  }
  if (hits.size() > question.most) hits.resize(question.most);
  return hits;
}

Recalled Recall::recall(const Question& question) {
  check_question(question);
  LessonIndex& lessons = index(question.scope.tenant);
  if (question.most == 0 || lessons.size() == 0) return {};
  // Vectors that stand in for those of another embedder are not kept in their place.
  lessons.embed(problem_.empty() ? &store_ : nullptr, at_once());
  const Sought sought = lessons.sought(question.text);
  if (lessons.failure()) {
    give_up_embedder(*lessons.failure());
    return recall(question);
  }
  Recalled recalled = among_candidates(question, sought, lessons);
  recalled.problem = problem_;
  return recalled;
}

Recalled Recall::among_candidates(const Question& question, const Sought& sought,
                                  LessonIndex& lessons) {
  Recalled recalled;
  const bool filtered = !question.filter.is_empty();
  const PlaceSet among = filtered ? fitting(question, lessons) : PlaceSet();
  std::vector<Candidate> found =
      lessons.candidates(sought, question.scope.agent, std::max(kCandidates, 4 * question.most),
                         filtered ? &among : nullptr);
  std::vector<Candidate> relevant;
  for (Candidate& candidate : found) {
    if (candidate.relevance >= question.least) {
      relevant.push_back(std::move(candidate));
    } else if (candidate.relevance >= kSomething) {
      ++recalled.below;
    }
  }
  const std::size_t enough = relevant.size();
  recalled.hits = ordered(question, std::move(relevant), lessons);
  recalled.beyond = enough - std::min(enough, recalled.hits.size());
  return recalled;
}

}  // namespace hone::memory
