// SparseNetwork: a network of sparse layers, all steps, as one operator. SparseLayer is the same
// for one layer.
//
// Inputs: ids INT32 [T, B, S], counts INT32 [T, B, 2] and values FLOAT [T, B, S] of the input
// spikes (values only carry their gradient), sequence INT32 [2]; then of each layer
// its weights [N, M], recurrent weights [N, N] and bias [N] where it has them, and the parameters
// of its neurons [P, N]; where it has them the taps of dendritic delays [K, N], and whole delays of
// its input and of its own spikes: axonal [M], [N], or of each weight [N, M], [N, N]. Outputs: a
// last readout's membranes [T, B, N], or a last layer's values, ids and counts; what the gradient
// needs, in the order of saved_tensors; and for each spiking layer the numbers of neurons that its
// capacity dropped, INT32 [T, B, 2].
#pragma once
#include <map>
#include <memory>
#include <vector>

#include <popart/op.hpp>

#include "network_attributes.hpp"
#include "popsnn/passes.hpp"

namespace popsnn {
namespace ops {

class SparseNetworkOp : public ::popart::Op {
 public:
  SparseNetworkOp(const ::popart::OperatorIdentifier& id, const Settings& settings,
                  NetworkAttributes attributes);

  std::unique_ptr<Op> clone() const final;
  void setup() final;
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const final;
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

  const NetworkAttributes& attributes() const { return attributes_; }
  const NetworkSpec& network() const { return network_; }  // after setup

 private:
  NetworkAttributes attributes_;
  NetworkSpec network_;
};

// Inputs: the gradient of the first output, the layers' inputs, and the tensors that forward saved.
// Outputs: the gradients of the layers' inputs that have one, and of the values.
class SparseNetworkGradOp : public ::popart::Op {
 public:
  explicit SparseNetworkGradOp(const SparseNetworkOp& forward);

  std::unique_ptr<Op> clone() const final;
  void setup() final;
  const std::vector<::popart::GradInOutMapper>& gradInputInfo() const final { return inputs_; }
  const std::map<int, int>& gradOutToNonGradIn() const final { return outputs_; }
  void appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const final;
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

  const NetworkAttributes& attributes() const { return attributes_; }
  const NetworkSpec& network() const { return network_; }

 private:
  NetworkAttributes attributes_;
  NetworkSpec network_;
  std::vector<::popart::GradInOutMapper> inputs_;
  std::map<int, int> outputs_;                 // by output the forward input
  std::map<int, ::popart::TensorInfo> infos_;  // by output
};

// The number of outputs for the user; saved tensors follow.
int results_of(const NetworkSpec& network);

// Inputs of the gradient's operator.
enum GradInputIndex : int { kOutGrad, kFirstSavedInput };
inline int grad_input_index(int forward_index) {
  return forward_index - kFirstLayer + kFirstSavedInput;
}

}  // namespace ops
}  // namespace popsnn
