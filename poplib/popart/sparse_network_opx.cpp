// SparseNetwork in a graph: thin over popsnn/passes.hpp.
#include <functional>
#include <memory>
#include <stdexcept>

#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/Zero.hpp>

#include "check.hpp"
#include "codelets.hpp"
#include "identifiers.hpp"
#include "sparse_network.hpp"

namespace popsnn {
namespace ops {
namespace {

using ::popart::InIndex;
using ::popart::popx::InputCreatorType;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;

// A saved tensor as PopART and PopTorch know it: an integer of the same size.
Tensor to_popart(const Tensor& tensor) {
  return tensor.reinterpret(tensor.elementType() == poplar::UNSIGNED_SHORT ? poplar::SHORT
                                                                           : poplar::INT);
}

// Delays of each weight, as weights, have the target first outside.
Tensor transposed_if_matrix(const Tensor& delays) {
  return delays.rank() == 2 ? delays.transpose() : delays;
}

// Common base of forward and backward: both have the layers' inputs, and one plan.
template <class OP>
class NetworkOpx : public ::popart::popx::Opx {
 public:
  NetworkOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : Opx(op, devicex) {
    verifyOp<OP>(op);
    add_own_codelets(graph(), network());
    // PopART lays out an input as its first consumer of the highest priority creates it.
    inputCreatorPriority = 1.0;
  }

  InputCreatorType getInputCreatorType(InIndex index) const override {
    return creator_of(index) ? InputCreatorType::CanCreate : Opx::getInputCreatorType(index);
  }
  Tensor createInputTensor(InIndex index, const poplar::DebugNameAndId& name) const override {
    return creator_of(index)(name.getPathName());
  }
  std::set<::popart::TensorId> mustExistBeforeCreate(InIndex) const override { return {}; }

 protected:
  using Creator = std::function<Tensor(const std::string& name)>;

  // Creates an input in the layout of the plan; empty where any layout will do.
  virtual Creator creator_of(InIndex index) const = 0;

  // The index of an input of the forward operator among this one's.
  virtual int index_of(int forward_index) const = 0;

  const NetworkSpec& network() const { return op().network(); }
  const NetworkAttributes& attributes() const { return op().attributes(); }
  OP& op() const { return this->template getOp<OP>(); }

  // Plans once; rethrows errors of the planner as PopART's.
  Passes passes() const {
    try {
      if (!plan_) {
        PlanOptions options = attributes().plan;
        options.checkpoint_interval = interval_of(network(), attributes());
        plan_.reset(new Plan(plan_network(network(), graph().getTarget(), options)));
      }
      return Passes(graph(), network(), *plan_);
    } catch (const std::logic_error& error) {
      fail(op().opid.type, error.what());
    } catch (const std::runtime_error& error) {
      fail(op().opid.type, error.what());
    }
  }

  Creator layer_creator(InIndex index) const {
    const std::vector<LayerInputs> inputs = layer_inputs(attributes());
    for (std::size_t l = 0; l < inputs.size(); ++l) {
      const auto row = [=](std::size_t rows) {
        return [=](const std::string& name) { return passes().add_parameter(l, rows, name); };
      };
      const auto transposed = [=](std::size_t source) {
        const std::size_t rows = network().source_size(l, source);
        return [=](const std::string& name) {
          return passes().add_parameter(l, rows, name).transpose();
        };
      };
      if (index == index_of(inputs[l].weights)) return transposed(0);
      if (inputs[l].recurrent_weights >= 0 && index == index_of(inputs[l].recurrent_weights))
        return transposed(1);
      if (inputs[l].bias >= 0 && index == index_of(inputs[l].bias))
        return [=](const std::string& name) { return row(1)(name).squeeze({0}); };
      if (index == index_of(inputs[l].parameters)) return row(network().layers[l].parameters());
      if (inputs[l].taps >= 0 && index == index_of(inputs[l].taps))
        return row(network().layers[l].tap_rows());
    }
    return Creator();
  }

  std::vector<LayerValues> layer_values() const {
    std::vector<LayerValues> values;
    for (const LayerInputs& inputs : layer_inputs(attributes())) {
      const auto input = [&](int index) { return getInTensor(index_of(index)); };
      LayerValues layer;
      layer.weights.push_back(input(inputs.weights).transpose());
      if (inputs.recurrent_weights >= 0)
        layer.weights.push_back(input(inputs.recurrent_weights).transpose());
      if (inputs.bias >= 0) layer.bias = input(inputs.bias).expand({0});
      layer.parameters = input(inputs.parameters);
      if (inputs.taps >= 0) layer.taps = input(inputs.taps);
      for (const int index : {inputs.delay_steps, inputs.recurrent_delay_steps})
        layer.delay_steps.push_back(index >= 0 ? transposed_if_matrix(input(index)) : Tensor());
      values.push_back(layer);
    }
    return values;
  }

 private:
  mutable std::unique_ptr<Plan> plan_;
};

class SparseNetworkOpx : public NetworkOpx<SparseNetworkOp> {
 public:
  using NetworkOpx::NetworkOpx;

  void grow(Sequence& program) const final {
    const ForwardPass pass = passes().forward({getInTensor(kIds), getInTensor(kCounts)},
                                              getInTensor(kSequence), layer_values(), program);
    int next = 0;
    if (pass.readout.valid()) {
      setOutTensor(next++, pass.readout);
    } else {
      setOutTensor(next++, pass.values);
      setOutTensor(next++, pass.spikes.ids);
      setOutTensor(next++, pass.spikes.counts);
    }
    for (const Tensor& saved : pass.saved) setOutTensor(next++, to_popart(saved));
    for (const Tensor& drops : pass.drops) setOutTensor(next++, to_popart(drops));
  }

 private:
  int index_of(int forward_index) const final { return forward_index; }

  Creator creator_of(InIndex index) const final {
    if (index == kIds || index == kCounts) {
      const std::size_t row = index == kIds ? network().input_capacity : 2;
      return [=](const std::string& name) { return passes().add_indices(row, name); };
    }
    return layer_creator(index);
  }
};

class SparseNetworkGradOpx : public NetworkOpx<SparseNetworkGradOp> {
 public:
  using NetworkOpx::NetworkOpx;

  void grow(Sequence& program) const final {
    std::vector<Tensor> saved;
    const std::vector<SavedTensor> kinds = saved_here();
    for (std::size_t i = 0; i < kinds.size(); ++i)
      saved.push_back(getInTensor(first_saved() + int(i)).reinterpret(kinds[i].type));
    const BackwardPass pass =
        passes().backward(saved, getInTensor(kOutGrad), layer_values(), program);
    const std::vector<LayerInputs> inputs = layer_inputs(attributes());
    for (const auto& output : op().gradOutToNonGradIn()) {
      const int index = output.second;
      if (index == kValues) setOutTensor(output.first, pass.input);
      for (std::size_t l = 0; l < inputs.size(); ++l) {
        const LayerValues& gradients = pass.layers[l];
        if (index == inputs[l].weights)
          setOutTensor(output.first, gradients.weights[0].transpose());
        if (index == inputs[l].recurrent_weights)
          setOutTensor(output.first, gradients.weights[1].transpose());
        if (index == inputs[l].bias) setOutTensor(output.first, gradients.bias.squeeze({0}));
        if (index == inputs[l].parameters)
          setOutTensor(output.first, with_zeros(l, gradients.parameters, program));
        if (index == inputs[l].taps) setOutTensor(output.first, gradients.taps);
        if (index == inputs[l].delay_steps)
          setOutTensor(output.first, transposed_if_matrix(gradients.delay_steps[0]));
        if (index == inputs[l].recurrent_delay_steps)
          setOutTensor(output.first, transposed_if_matrix(gradients.delay_steps[1]));
      }
    }
  }

 private:
  int index_of(int forward_index) const final { return grad_input_index(forward_index); }
  int first_saved() const { return grad_input_index(count_inputs(attributes())); }
  std::vector<SavedTensor> saved_here() const {
    return saved_tensors(network(), interval_of(network(), attributes()));
  }

  // The gradient of parameters that do not learn is zero.
  Tensor with_zeros(std::size_t l, const Tensor& learnt, Sequence& program) const {
    const Tensor all =
        passes().add_parameter(l, network().layers[l].parameters(), "parameter_grad");
    const std::size_t rows = learnt.dim(0);
    program.add(Copy(learnt, all.slice(0, rows)));
    if (rows < all.dim(0))
      popops::zero(graph(), all.slice(rows, all.dim(0)), program, debugContext("zero"));
    return all;
  }

  Creator creator_of(InIndex index) const final {
    const std::vector<SavedTensor> kinds = saved_here();
    const int saved = index - first_saved();
    if (saved < 0 || saved >= int(kinds.size())) return layer_creator(index);
    const SavedTensor kind = kinds[std::size_t(saved)];
    return [=](const std::string& name) { return to_popart(passes().add_saved(kind, name)); };
  }
};

const ::popart::popx::OpxCreator<SparseNetworkOpx> opx({identifier("SparseNetwork"),
                                                        identifier("SparseLayer")});
const ::popart::popx::OpxCreator<SparseNetworkGradOpx> grad_opx(identifier("SparseNetworkGrad"));

}  // namespace
}  // namespace ops
}  // namespace popsnn
