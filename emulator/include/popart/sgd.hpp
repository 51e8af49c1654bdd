#ifndef popart_sgd_hpp
#define popart_sgd_hpp

#include <map>
#include <memory>
#include <popart/optimizer.hpp>
#include <popart/optimizervalue.hpp>
#include <string>
#include <utility>

namespace popart {

/// w = w * (1 - rate * decay) - rate / lossScaling * gradient. Momentum is not emulated.
class SGD : public Optimizer {
 public:
  static OptimizerValue getUnsetLearningRate() { return {0.1f, true}; }
  static OptimizerValue getUnsetWeightDecay() { return {0.0f, true}; }
  static OptimizerValue getUnsetMomentum() { return {0.0f, true}; }
  static OptimizerValue getUnsetDampening() { return {0.0f, true}; }
  static OptimizerValue getUnsetVelocityScaling() { return {1.0f, true}; }
  static OptimizerValue getUnsetLossScaling() { return {1.0f, true}; }

  /// Throw `error` for momentum or dampening other than 0, and for names that are none.
  SGD(OptimizerValue learningRate, OptimizerValue weightDecay, OptimizerValue momentum,
      OptimizerValue dampening, OptimizerValue velocityScaling, OptimizerValue lossScaling);
  /// Of "defaultLearningRate", "defaultWeightDecay", "defaultMomentum", "defaultDampening",
  /// "defaultVelocityScaling" and "lossScaling".
  explicit SGD(const std::map<std::string, std::pair<float, bool>>& values);
  SGD() : SGD(std::map<std::string, std::pair<float, bool>>{}) {}

  OptimizerType type() const final { return OptimizerType::SGD; }
  std::string type_s() const final { return "SGD"; }
  std::unique_ptr<Optimizer> clone() const final;
  void addUpdate(Graph& graph, const Tensor& weight, const TensorId& gradient) const final;
  std::map<TensorId, float> values(const Tensor& weight) const final;

 private:
  OptimizerValue learningRate_, weightDecay_;
};

/// With numbers that stay as they are.
class ConstSGD : public SGD {
 public:
  explicit ConstSGD(float learningRate, float weightDecay = 0, float lossScaling = 1)
      : SGD({learningRate, true}, {weightDecay, true}, getUnsetMomentum(), getUnsetDampening(),
            getUnsetVelocityScaling(), {lossScaling, true}) {}
};

}  // namespace popart

#endif  // popart_sgd_hpp
