#ifndef popart_optimizervaluemap_hpp
#define popart_optimizervaluemap_hpp

#include <cstddef>
#include <functional>
#include <map>
#include <popart/names.hpp>
#include <popart/optimizervalue.hpp>
#include <string>

namespace popart {

/// A number of an optimizer: a default, and others for some weights.
class OptimizerValueMap {
 public:
  OptimizerValueMap(OptimizerValue value) : default_(value) {}
  OptimizerValue get(const TensorId& id) const {
    return hasSpecific(id) ? specifics_.at(id) : default_;
  }
  void insertSpecific(const TensorId& id, OptimizerValue value) { specifics_[id] = value; }
  bool hasSpecific(const TensorId& id) const { return specifics_.count(id) > 0; }
  bool hasSpecific() const { return !specifics_.empty(); }
  OptimizerValue getDefault() const { return default_; }
  const std::map<TensorId, OptimizerValue>& getSpecifics() const { return specifics_; }

 private:
  std::map<TensorId, OptimizerValue> specifics_;
  OptimizerValue default_;
};

}  // namespace popart

#endif  // popart_optimizervaluemap_hpp
