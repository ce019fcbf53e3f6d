// What a server has shown that it takes. Every model object learns it from refusals, so that each
// costs one call only.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "hone/core/effects.h"

namespace hone::model {

// What to ask for after a refusal: less than before.
template <class Dialect>
struct Concession {
  Dialect dialect;
  bool about_schema = false;  // It was this schema, not schemas as such, that was refused.
};

// `Dialect` is a value with an ordered enumeration `format`, from most to least demanding, and a
// function `less(left, right)`: what both have conceded. Threads: any.
template <class Dialect>
class Manners {
 public:
  explicit Manners(Dialect first) : dialect_(std::move(first)) {}

  // How to ask for this.
  Dialect toward(const core::ModelRequest& request) const {
    const std::scoped_lock lock(mutex_);
    Dialect dialect = dialect_;
    if (!request.schema) return dialect;
    const auto known = formats_.find(request.schema->text);
    if (known != formats_.end()) dialect.format = std::max(dialect.format, known->second);
    return dialect;
  }

  void learn(const core::ModelRequest& request, const Concession<Dialect>& concession) {
    const std::scoped_lock lock(mutex_);
    Dialect next = concession.dialect;
    if (request.schema) {
      const auto known = formats_.find(request.schema->text);
      const bool is_old = known != formats_.end() && known->second == next.format;
      if (is_old) next.format = dialect_.format;
      if (concession.about_schema) return learn_schema(request.schema->text, next.format);
    }
    dialect_ = less(dialect_, next);
  }

 private:
  static constexpr std::size_t kMostSchemas = 256;

  void learn_schema(const std::string& schema, decltype(Dialect::format) conceded) {
    if (formats_.size() >= kMostSchemas) formats_.clear();
    auto& format = formats_[schema];
    format = std::max(format, conceded);
  }

  mutable std::mutex mutex_;
  Dialect dialect_;
  std::map<std::string, decltype(Dialect::format)> formats_;
};

}  // namespace hone::model
