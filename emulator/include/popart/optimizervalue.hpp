#ifndef popart_optimizervalue_hpp
#define popart_optimizervalue_hpp

#include <utility>

namespace popart {

/// A number of an optimizer, and whether it stays as it is.
class OptimizerValue {
 public:
  OptimizerValue() : OptimizerValue(0.0f) {}
  OptimizerValue(float value) : OptimizerValue(value, true) {}
  OptimizerValue(float value, bool isConst) : value_(value), const_(isConst) {}
  OptimizerValue(std::pair<float, bool> value) : OptimizerValue(value.first, value.second) {}
  float val() const { return value_; }
  bool isConst() const { return const_; }
  bool operator==(const OptimizerValue& b) const {
    return value_ == b.value_ && const_ == b.const_;
  }

 private:
  float value_;
  bool const_;
};

}  // namespace popart

#endif  // popart_optimizervalue_hpp
