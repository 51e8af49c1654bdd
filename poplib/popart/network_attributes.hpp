// What the attributes of a network's operator say, and what they and its inputs make.
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

// Layers whose sizes the inputs tell, and what the caller decides of the plan.
struct NetworkAttributes {
  std::vector<LayerSpec> layers;
  bool input_gradient = false;
  PlanOptions plan;  // segment 0: all steps

  // Throws popart::error where one is missing or none that the others go with.
  static NetworkAttributes of(const std::string& operation, const ::popart::Attributes& attributes);

  void append(::popart::OpSerialiserBase& serialiser) const;
};

// Which input of the operator is which.
enum InputIndex : int { kIds, kCounts, kValues, kSequence, kFirstLayer };

// The inputs of one layer, by index; -1: it has none.
struct LayerInputs {
  int weights, recurrent_weights, bias, parameters;
};

// Of all layers, from kFirstLayer on.
std::vector<LayerInputs> layer_inputs(const NetworkAttributes& attributes);

// How many inputs an operator of these attributes has.
int count_inputs(const NetworkAttributes& attributes);

// The network of inputs of these types and shapes; throws popart::error where they do not fit.
NetworkSpec network_of(const std::string& operation, const NetworkAttributes& attributes,
                       const std::vector<::popart::TensorInfo>& inputs);

// Steps whose states are kept at once.
std::size_t segment_of(const NetworkSpec& network, const NetworkAttributes& attributes);

}  // namespace ops
}  // namespace popsnn
