// The attributes of a network's operator, and the network that they and its inputs define.
#pragma once
#include <string>
#include <vector>

#include <popart/attributes.hpp>
#include <popart/opserialiser.hpp>
#include <popart/tensorinfo.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {
namespace ops {

// Layers, whose sizes follow from the inputs, and the caller's choices for the plan.
struct NetworkAttributes {
  std::vector<LayerSpec> layers;
  bool input_gradient = false;
  PlanOptions plan;  // checkpoint_interval 0: all time steps

  // Throws popart::error where an attribute is missing or inconsistent with the others.
  static NetworkAttributes of(const std::string& operation, const ::popart::Attributes& attributes);

  void append(::popart::OpSerialiserBase& serialiser) const;
};

// Indices of the operator's inputs.
enum InputIndex : int { kIds, kCounts, kValues, kSequence, kFirstLayer };

// The inputs of one layer, by index; -1: it has none.
struct LayerInputs {
  int weights, recurrent_weights, bias, parameters;
  int taps;                                // of dendritic delays
  int delay_steps, recurrent_delay_steps;  // axonal ones, or those of each weight
};

// Of all layers, from kFirstLayer on.
std::vector<LayerInputs> layer_inputs(const NetworkAttributes& attributes);

// The number of inputs of an operator with these attributes.
int count_inputs(const NetworkAttributes& attributes);

// The network of inputs of these types and shapes; throws popart::error where they do not fit.
NetworkSpec network_of(const std::string& operation, const NetworkAttributes& attributes,
                       const std::vector<::popart::TensorInfo>& inputs);

// Time steps whose states are stored at once.
std::size_t interval_of(const NetworkSpec& network, const NetworkAttributes& attributes);

}  // namespace ops
}  // namespace popsnn
