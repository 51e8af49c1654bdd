#include <popart/error.hpp>
#include <popart/graph.hpp>
#include <popart/half.hpp>
#include <popart/op/sgd0varupdate.hpp>
#include <popart/sgd.hpp>
#include <popart/tensornames.hpp>

namespace popart {

namespace {

OptimizerValue valueOf(const std::map<std::string, std::pair<float, bool>>& values,
                       const std::string& name, OptimizerValue unset) {
  const auto entry = values.find(name);
  return entry == values.end() ? unset : OptimizerValue(entry->second);
}

}  // namespace

SGD::SGD(OptimizerValue learningRate, OptimizerValue weightDecay, OptimizerValue momentum,
         OptimizerValue dampening, OptimizerValue, OptimizerValue lossScaling)
    : Optimizer(lossScaling), learningRate_(learningRate), weightDecay_(weightDecay) {
  if (momentum.val() != 0.0f || dampening.val() != 0.0f)
    throw error("SGD: expected momentum and dampening of 0, as others are not emulated, got {}, {}",
                momentum.val(), dampening.val());
}

SGD::SGD(const std::map<std::string, std::pair<float, bool>>& values)
    : SGD(valueOf(values, "defaultLearningRate", getUnsetLearningRate()),
          valueOf(values, "defaultWeightDecay", getUnsetWeightDecay()),
          valueOf(values, "defaultMomentum", getUnsetMomentum()),
          valueOf(values, "defaultDampening", getUnsetDampening()),
          valueOf(values, "defaultVelocityScaling", getUnsetVelocityScaling()),
          valueOf(values, "lossScaling", getUnsetLossScaling())) {
  for (const auto& value : values) {
    const std::string& n = value.first;
    if (n != "defaultLearningRate" && n != "defaultWeightDecay" && n != "defaultMomentum" &&
        n != "defaultDampening" && n != "defaultVelocityScaling" && n != "lossScaling")
      throw error("SGD: expected the name of a value such as defaultLearningRate, got '{}'", n);
  }
}

std::unique_ptr<Optimizer> SGD::clone() const { return std::unique_ptr<Optimizer>(new SGD(*this)); }

std::map<TensorId, float> SGD::values(const Tensor& weight) const {
  return {
      {"scaledLearningRate0___" + weight.id, learningRate_.val() / getLossScalingVal()},
      {"weightDecayScaleFactor0___" + weight.id, 1.0f - learningRate_.val() * weightDecay_.val()}};
}

void SGD::addUpdate(Graph& graph, const Tensor& weight, const TensorId& gradient) const {
  std::map<InIndex, TensorId> in{{SGD0VarUpdateOp::getVarToUpdateInIndex(), weight.id},
                                 {SGD0VarUpdateOp::getUpdaterInIndex(), gradient}};
  InIndex index = SGD0VarUpdateOp::getSlr0InIndex();  // then that of the decay, as they are ordered
  for (const auto& value : values(weight)) {
    const TensorInfo info(DataType::FLOAT, {});
    graph.getTensors().addStream(value.first, info);
    graph.getTensor(value.first)->setTensorDataFromCopyOf(&value.second, sizeof value.second);
    in[index++] = value.first;
  }
  graph.createConnectedOp<SGD0VarUpdateOp>(in, {{0, reservedUpdatedVarPrefix() + weight.id}},
                                           Op::Settings(graph, "update/" + weight.id));
}

}  // namespace popart
