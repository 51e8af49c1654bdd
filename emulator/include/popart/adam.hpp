#ifndef popart_adam_hpp
#define popart_adam_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <popart/clipnormsettings.hpp>
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
enum class AdamMode { Adam = 0, AdamNoBias, AdaMax, Lamb, LambNoBias };

class Adam : public Optimizer {
 public:
  static OptimizerValue getUnsetLearningRate() {
    emulator::missing("popart::Adam::getUnsetLearningRate");
  }
  static OptimizerValue getUnsetWeightDecay() {
    emulator::missing("popart::Adam::getUnsetWeightDecay");
  }
  static OptimizerValue getUnsetBeta1() { emulator::missing("popart::Adam::getUnsetBeta1"); }
  static OptimizerValue getUnsetBeta2() { emulator::missing("popart::Adam::getUnsetBeta2"); }
  static OptimizerValue getUnsetEps() { emulator::missing("popart::Adam::getUnsetEps"); }
  static OptimizerValue getUnsetLossScaling() {
    emulator::missing("popart::Adam::getUnsetLossScaling");
  }
  static OptimizerValue getUnsetMaxWeightNorm() {
    emulator::missing("popart::Adam::getUnsetMaxWeightNorm");
  }
  bool hasSpecific(const Tensor&) const { emulator::missing("popart::Adam::hasSpecific"); }
  bool hasSpecific() const { emulator::missing("popart::Adam::hasSpecific"); }
  TensorId getInverseLossScalingTensorId(const Tensor&) const {
    emulator::missing("popart::Adam::getInverseLossScalingTensorId");
  }
  Adam(OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue,
       OptimizerValue, OptimizerValue, AdamMode, WeightDecayMode, DataType, DataType, DataType,
       const std::vector<ClipNormSettings>& = {}, bool = false, const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adam")) {}
  Adam(OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue,
       OptimizerValue, AdamMode, WeightDecayMode, DataType, DataType, DataType,
       const std::vector<ClipNormSettings>& = {}, bool = false, const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adam")) {}
  Adam(OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue,
       OptimizerValue, OptimizerValue, AdamMode, DataType, DataType, DataType,
       const std::vector<ClipNormSettings>& = {}, bool = false, const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adam")) {}
  Adam(OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue, OptimizerValue,
       OptimizerValue, AdamMode, DataType, DataType, DataType,
       const std::vector<ClipNormSettings>& = {}, bool = false, const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adam")) {}
  Adam(const std::map<std::string, std::pair<float, bool>>&, AdamMode, WeightDecayMode, DataType,
       DataType, DataType, const std::vector<ClipNormSettings>& = {}, bool = false,
       const DebugContext& = {})
      : Optimizer(emulator::absent<OptimizerValue>("popart::Adam")) {}
  static Adam fromDefaultMap(const std::map<std::string, OptimizerValue>&, AdamMode,
                             WeightDecayMode, DataType, DataType, DataType,
                             const DebugContext& = {}) {
    emulator::missing("popart::Adam::fromDefaultMap");
  }
  OptimizerType type() const override { return OptimizerType::Adam; }
  std::string type_s() const override { return "Adam"; }
  std::unique_ptr<Optimizer> clone() const override {
    return std::unique_ptr<Optimizer>(new Adam(*this));
  }
  void addUpdate(Graph&, const Tensor&, const TensorId&) const override {
    emulator::missing("popart::Adam::addUpdate");
  }
  std::map<TensorId, float> values(const Tensor&) const override {
    emulator::missing("popart::Adam::values");
  }
  std::unique_ptr<Op> createOp(const Tensor&, Graph&) const {
    emulator::missing("popart::Adam::createOp");
  }
  std::vector<TensorId> getInputIds(const Tensor&) const {
    emulator::missing("popart::Adam::getInputIds");
  }
  std::vector<std::tuple<TensorId, TensorInfo>> getOptimizerInputs(const Tensor&) const {
    emulator::missing("popart::Adam::getOptimizerInputs");
  }
  void resetTensorData(Tensor&) const { emulator::missing("popart::Adam::resetTensorData"); }
  void setTensorData(Tensor&) const { emulator::missing("popart::Adam::setTensorData"); }
  float getStoredValue(const TensorId&) const { emulator::missing("popart::Adam::getStoredValue"); }
  void insertSpecific(const TensorId&, OptimizerValue, OptimizerValue, OptimizerValue,
                      OptimizerValue, OptimizerValue, OptimizerValue) {
    emulator::missing("popart::Adam::insertSpecific");
  }
  void setStep(int64_t) { emulator::missing("popart::Adam::setStep"); }
  void setStep(const TensorId&, int64_t) { emulator::missing("popart::Adam::setStep"); }
  void setStep(std::map<TensorId, int64_t>) { emulator::missing("popart::Adam::setStep"); }
  void insertSpecific(const TensorId&, const std::map<std::string, std::pair<float, bool>>&) {
    emulator::missing("popart::Adam::insertSpecific");
  }
  const OptimizerValueMap& learningRates() const {
    emulator::missing("popart::Adam::learningRates");
  }
  const OptimizerValueMap& weightDecays() const { emulator::missing("popart::Adam::weightDecays"); }
  const OptimizerValueMap& beta1s() const { emulator::missing("popart::Adam::beta1s"); }
  const OptimizerValueMap& beta2s() const { emulator::missing("popart::Adam::beta2s"); }
  const OptimizerValueMap& epss() const { emulator::missing("popart::Adam::epss"); }
  const OptimizerValueMap& maxWeightNorms() const {
    emulator::missing("popart::Adam::maxWeightNorms");
  }
  const WeightDecayMode& getWeightDecayMode() const {
    emulator::missing("popart::Adam::getWeightDecayMode");
  }
  bool useScaledOptimizerState() const {
    emulator::missing("popart::Adam::useScaledOptimizerState");
  }
};

}  // namespace popart

#endif  // popart_adam_hpp
