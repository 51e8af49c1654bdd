// nonstd::optional for C++11, as far as PopART's headers use it.
#ifndef popart_vendored_optional_hpp
#define popart_vendored_optional_hpp

#include <stdexcept>
#include <utility>

namespace nonstd {

struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
constexpr nullopt_t nullopt(0);

template <class T>
class optional {
 public:
  optional() : has_(false), value_() {}
  optional(nullopt_t) : optional() {}
  optional(T value) : has_(true), value_(std::move(value)) {}

  bool has_value() const { return has_; }
  explicit operator bool() const { return has_; }
  const T& operator*() const { return value_; }
  T& operator*() { return value_; }
  const T* operator->() const { return &value_; }
  T* operator->() { return &value_; }
  const T& value() const {
    if (!has_) throw std::logic_error("optional::value: expected a value, got none");
    return value_;
  }
  T value_or(T other) const { return has_ ? value_ : other; }

 private:
  bool has_;
  T value_;
};

}  // namespace nonstd

#endif  // popart_vendored_optional_hpp
