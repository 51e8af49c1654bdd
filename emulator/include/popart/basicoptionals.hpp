#ifndef popart_basicoptionals_hpp
#define popart_basicoptionals_hpp

#include <cstdint>
#include <ostream>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <stdexcept>

namespace popart {

/// A value or none. V keeps optionals of one T but of different meanings apart.
template <class T, std::uint32_t V = 0>
class BasicOptional {
 public:
  using value_type = T;
  BasicOptional() : has_(false), value_() {}
  BasicOptional(T value) : has_(true), value_(value) {}

  explicit operator bool() const { return has_; }
  const T& operator*() const {
    if (!has_) throw std::runtime_error("BasicOptional: expected a value, got none");
    return value_;
  }
  T& operator*() {
    if (!has_) throw std::runtime_error("BasicOptional: expected a value, got none");
    return value_;
  }
  void reset() { has_ = false; }

 private:
  bool has_;
  T value_;
};

template <class T, std::uint32_t V>
bool operator==(const BasicOptional<T, V>& a, const BasicOptional<T, V>& b) {
  return bool(a) == bool(b) && (!a || *a == *b);
}
template <class T, std::uint32_t V>
bool operator!=(const BasicOptional<T, V>& a, const BasicOptional<T, V>& b) {
  return !(a == b);
}
template <class T, std::uint32_t V>
std::ostream& operator<<(std::ostream& out, const BasicOptional<T, V>& value) {
  if (!value) return out << "?";
  return out << *value;
}

using OptionalVGraphId = BasicOptional<VGraphId, 3>;
using OptionalPipelineStage = BasicOptional<PipelineStage, 5>;
using OptionalExecutionPhase = BasicOptional<ExecutionPhase, 7>;
using OptionalBatchSerializedPhase = BasicOptional<BatchSerializedPhase, 9>;
using OptionalStochasticRoundingMethod = BasicOptional<StochasticRoundingMethod, 10>;

class OptionalGraphId : public BasicOptional<GraphId, 11> {
 public:
  using BasicOptional::BasicOptional;
};

}  // namespace popart

#endif  // popart_basicoptionals_hpp
