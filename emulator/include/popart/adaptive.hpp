#ifndef popart_adaptive_hpp
#define popart_adaptive_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <popart/compoundscalarhelper.hpp>
#include <popart/datatype.hpp>
#include <popart/debugcontext.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/optimizer.hpp>
#include <popart/optimizervalue.hpp>
#include <popart/optimizervaluemap.hpp>
#include <popart/tensordebuginfo.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Op;
class Tensor;
class TensorInfo;
enum class AdaptiveMode { AdaGrad = 0, RMSProp, CenteredRMSProp, AdaDelta };

class Adaptive : public Optimizer {
 public:
  static OptimizerValue getUnsetLearningRate() {
    emulator::missing("popart::Adaptive::getUnsetLearningRate");
  }
  static OptimizerValue getUnsetWeightDecay() {
    emulator::missing("popart::Adaptive::getUnsetWeightDecay");
  }
  static OptimizerValue getUnsetAlpha() { emulator::missing("popart::Adaptive::getUnsetAlpha"); }
  static OptimizerValue getUnsetMomentum() {
    emulator::missing("popart::Adaptive::getUnsetMomentum");
  }
  static OptimizerValue getUnsetEps() { emulator::missing("popart::Adaptive::getUnsetEps"); }
  static OptimizerValue getUnsetLossScaling() {
    emulator::missing("popart::Adaptive::getUnsetLossScaling");
  }
  bool hasSpecific(const Tensor&) const { emulator::missing("popart::Adaptive::hasSpecific"); }
  bool hasSpecific() const { emulator::missing("popart::Adaptive::hasSpecific"); }
  TensorId getInverseLossScalingTensorId(const Tensor&) const {
    emulator::missing("popart::Adaptive::getInverseLossScalingTensorId");
  }
  Adaptive(OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue,
           OptimizerValue, AdaptiveMode, WeightDecayMode, DataType, DataType, DataType, DataType,
           bool = false, const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adaptive")) {}
  Adaptive(const std::map<std::string, std::pair<float, bool>>&, AdaptiveMode, WeightDecayMode,
           DataType, DataType, DataType, DataType, bool = false, const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adaptive")) {}
  static Adaptive fromDefaultMap(const std::map<std::string, OptimizerValue>&, AdaptiveMode,
                                 WeightDecayMode, DataType, DataType, DataType, DataType,
                                 const DebugContext& = {}) {
    emulator::missing("popart::Adaptive::fromDefaultMap");
  }
  OptimizerType type() const override { return OptimizerType::Adaptive; }
  std::string type_s() const override { return "Adaptive"; }
  std::unique_ptr<Optimizer> clone() const override {
    return std::unique_ptr<Optimizer>(new Adaptive(*this));
  }
  void addUpdate(Graph&, const Tensor&, const TensorId&) const override {
    emulator::missing("popart::Adaptive::addUpdate");
  }
  std::map<TensorId, float> values(const Tensor&) const override {
    emulator::missing("popart::Adaptive::values");
  }
  std::unique_ptr<Op> createOp(const Tensor&, Graph&) const {
    emulator::missing("popart::Adaptive::createOp");
  }
  std::vector<TensorId> getInputIds(const Tensor&) const {
    emulator::missing("popart::Adaptive::getInputIds");
  }
  std::vector<std::tuple<TensorId, TensorInfo>> getOptimizerInputs(const Tensor&) const {
    emulator::missing("popart::Adaptive::getOptimizerInputs");
  }
  void resetTensorData(Tensor&) const { emulator::missing("popart::Adaptive::resetTensorData"); }
  void setTensorData(Tensor&) const { emulator::missing("popart::Adaptive::setTensorData"); }
  float getStoredValue(const TensorId&) const {
    emulator::missing("popart::Adaptive::getStoredValue");
  }
  void insertSpecific(const TensorId&, OptimizerValue, OptimizerValue, OptimizerValue,
                      OptimizerValue, OptimizerValue) {
    emulator::missing("popart::Adaptive::insertSpecific");
  }
  void setStep(int64_t) { emulator::missing("popart::Adaptive::setStep"); }
  void setStep(const TensorId&, int64_t) { emulator::missing("popart::Adaptive::setStep"); }
  void setStep(std::map<TensorId, int64_t>) { emulator::missing("popart::Adaptive::setStep"); }
  void insertSpecific(const TensorId&, const std::map<std::string, std::pair<float, bool>>&) {
    emulator::missing("popart::Adaptive::insertSpecific");
  }
  const OptimizerValueMap& learningRates() const {
    emulator::missing("popart::Adaptive::learningRates");
  }
  const OptimizerValueMap& weightDecays() const {
    emulator::missing("popart::Adaptive::weightDecays");
  }
  const OptimizerValueMap& alphas() const { emulator::missing("popart::Adaptive::alphas"); }
  const OptimizerValueMap& momentums() const { emulator::missing("popart::Adaptive::momentums"); }
  const OptimizerValueMap& epss() const { emulator::missing("popart::Adaptive::epss"); }
};

}  // namespace popart

#endif  // popart_adaptive_hpp
