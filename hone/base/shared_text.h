// A text that many copies share: it is made once and never changes.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace hone {

// Stands wherever a `const std::string&` is taken. Copying costs no allocation. Threads: any.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}

  const std::string& text() const {
    static const std::string none;
    return text_ == nullptr ? none : *text_;
  }
  operator const std::string&() const { return text(); }
  bool empty() const { return text().empty(); }

  friend bool operator==(const SharedText& left, const SharedText& right) {
    return left.text() == right.text();
  }

 private:
  std::shared_ptr<const std::string> text_;
};

}  // namespace hone
