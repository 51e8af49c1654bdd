#ifndef popart_optimizer_hpp
#define popart_optimizer_hpp

#include <map>
#include <memory>
#include <popart/names.hpp>
#include <popart/optimizervalue.hpp>
#include <string>

namespace popart {

enum class OptimizerReductionType { None = 0, GradReduce, AcclReduce, AccumReduce };
enum class WeightDecayMode { Decay, L2Regularization };

class Graph;
class Op;
class Tensor;

enum class OptimizerType { SGD = 0, Adam, Adaptive, NTYPES };

/// How weights are updated. SGD is the one that the emulation's sessions have.
class Optimizer {
 public:
  explicit Optimizer(OptimizerValue lossScaling) : lossScaling_(lossScaling) {}
  virtual ~Optimizer() = default;
  virtual OptimizerType type() const = 0;
  virtual std::string type_s() const = 0;
  virtual std::unique_ptr<Optimizer> clone() const = 0;

  const OptimizerValue& lossScaling() const { return lossScaling_; }
  float getLossScalingVal() const { return lossScaling_.val(); }

  // The emulator's own: the op that updates a weight, and the numbers, by id, that it takes.
  virtual void addUpdate(Graph& graph, const Tensor& weight, const TensorId& gradient) const = 0;
  virtual std::map<TensorId, float> values(const Tensor& weight) const = 0;

 private:
  OptimizerValue lossScaling_;
};

}  // namespace popart

#endif  // popart_optimizer_hpp
