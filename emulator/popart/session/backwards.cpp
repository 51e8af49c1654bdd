#include "backwards.hpp"

#include <algorithm>
#include <popart/error.hpp>
#include <popart/half.hpp>
#include <popart/ir.hpp>
#include <popart/op/sum.hpp>
#include <popart/operators.hpp>
#include <popart/tensornames.hpp>

namespace popart {
namespace emulator {

namespace {

class Backwards {
 public:
  explicit Backwards(Graph& graph) : graph_(graph) {}

  void run(const TensorId& loss, float lossScaling) {
    const std::vector<Op*> schedule = graph_.getOpSchedule();
    seed(loss, lossScaling);
    for (auto op = schedule.rbegin(); op != schedule.rend(); ++op) {
      for (Tensor* output : (*op)->output->tensors()) sum(output->id);
      for (std::unique_ptr<Op>& gradOp : (*op)->getGradOps()) grow(**op, std::move(gradOp));
    }
    const std::vector<TensorId> ends = graph_.getTensors().getNoProducerIds();
    for (const TensorId& id : ends) sum(id);
  }

 private:
  static TensorId gradientId(const TensorId& id) { return reservedGradientPrefix() + id; }
  bool hasGradient(const TensorId& id) const {
    return graph_.getTensors().contains(gradientId(id));
  }

  void seed(const TensorId& loss, float value) {
    const TensorInfo& info = graph_.getTensor(loss)->info;
    const std::size_t n = static_cast<std::size_t>(info.nelms());
    const TensorId id = gradientId(loss) + "___seed";
    if (info.dataType() == DataType::FLOAT) {
      graph_.getTensors().addConstInit(id, info, std::vector<float>(n, value).data());
    } else if (info.dataType() == DataType::FLOAT16) {
      graph_.getTensors().addConstInit(id, info, std::vector<Half>(n, Half(value)).data());
    } else {
      throw error("loss '{}': expected FLOAT or FLOAT16, got {}", loss, info.dataType());
    }
    partials_[loss].push_back(id);
  }

  // The gradient of a tensor of which all partial gradients are complete.
  void sum(const TensorId& id) {
    const std::vector<TensorId>& partials = partials_[id];
    if (partials.empty()) return;
    std::map<InIndex, TensorId> in;
    for (std::size_t i = 0; i < partials.size(); ++i) in[static_cast<InIndex>(i)] = partials[i];
    graph_.createConnectedOp<SumOp>(in, {{0, gradientId(id)}}, Onnx::Operators::Sum_8,
                                    Op::Settings(graph_, gradientId(id)));
  }

  // The tensor that an input of a gradient op is; empty where there is none.
  TensorId source(const Op& op, const GradInOutMapper& mapper) const {
    if (mapper.type == GradOpInType::In)
      return op.hasInput(mapper.iNonGrad) ? op.inId(mapper.iNonGrad) : TensorId();
    if (!op.hasOutput(mapper.iNonGrad)) return TensorId();
    const TensorId id = op.outId(mapper.iNonGrad);
    if (mapper.type == GradOpInType::Out) return id;
    return hasGradient(id) ? gradientId(id) : TensorId();
  }

  // As PopART: a gradient op of which an input is missing is not there, unless it is optional.
  void grow(const Op& op, std::unique_ptr<Op> gradOp) {
    const std::set<InIndex> optional = gradOp->optionalInputs();
    std::map<InIndex, TensorId> in;
    bool flows = false;
    for (const GradInOutMapper& mapper : gradOp->gradInputInfo()) {
      const TensorId id = source(op, mapper);
      flows = flows || (mapper.type == GradOpInType::GradOut && !id.empty());
      if (!id.empty())
        in[mapper.iGrad] = id;
      else if (optional.count(mapper.iGrad) == 0)
        return;
    }
    if (!flows) return;
    Op* grad = graph_.getOp(graph_.moveIntoGraph(std::move(gradOp)));
    for (const auto& input : in) grad->connectInTensor(input.first, input.second);
    for (const auto& output : grad->gradOutToNonGradIn()) {
      if (!op.hasInput(output.second)) continue;
      std::vector<TensorId>& partials = partials_[op.inId(output.second)];
      partials.push_back(gradientId(op.inId(output.second)) + "___" + std::to_string(grad->id));
      grad->createAndConnectOutTensor(output.first, partials.back());
    }
    grad->setup();
  }

  Graph& graph_;
  std::map<TensorId, std::vector<TensorId>> partials_;  // of gradients, by the tensor's id
};

}  // namespace

void addBackwards(Graph& graph, const TensorId& loss, float lossScaling) {
  Backwards(graph).run(loss, lossScaling);
  graph.setLoss(loss);
  graph.getIr().setConstructedBackwards();
}

}  // namespace emulator
}  // namespace popart
