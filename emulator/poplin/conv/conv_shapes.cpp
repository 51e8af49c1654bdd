#include "conv_shapes.hpp"

#include <poputil/exceptions.hpp>
#include <string>

namespace poplin {

using poplar::Tensor;
using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;

namespace {

Shape join(Shape a, const Shape& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Dimensions are named from the innermost outwards.
std::string dimensionName(std::size_t dim, std::size_t dims) {
  static const char* const kNames[] = {"Width", "Height", "Depth"};
  return dims > 3 ? "Field dimension " + std::to_string(dim) : kNames[dims - dim - 1];
}

void check(bool fits, const std::string& what, const Tensor& t) {
  if (!fits) {
    throw poplibs_error(what + " does not match convolution parameters, got " + t.shapeToString());
  }
}

void checkField(const Tensor& t, const Shape& field, unsigned first, const std::string& of) {
  for (unsigned i = 0; i < field.size(); ++i) {
    check(t.dim(first + i) == field[i], dimensionName(i, field.size()) + " of " + of, t);
  }
}

}  // namespace

Shape inputShape(const ConvParams& p) {
  return join({p.batchSize, p.getNumInputChans()}, p.inputFieldShape);
}

Shape weightsShape(const ConvParams& p) {
  return join({p.numConvGroups, p.outputChannelsPerConvGroup, p.inputChannelsPerConvGroup},
              p.kernelShape);
}

Shape outputShape(const ConvParams& p) {
  return join({p.batchSize, p.getNumOutputChans()}, p.getOutputFieldShape());
}

Tensor withGroups(const Tensor& weights, const ConvParams& p) {
  return weights.rank() == p.getNumFieldDims() + 2 ? weights.expand({0}) : weights;
}

void checkInput(const Tensor& in, const ConvParams& p) {
  if (in.rank() != 2 + p.getNumFieldDims()) {
    throw poplibs_error("Input tensor does not have the expected rank, got " + in.shapeToString());
  }
  checkField(in, p.inputFieldShape, 2, "input tensor");
  check(in.dim(0) == p.batchSize, "Batchsize of input tensor", in);
  check(in.dim(1) == p.getNumInputChans(), "Number of channels of input tensor", in);
  check(in.elementType() == p.inputType, "Type " + in.elementType().toString() + " of input tensor",
        in);
}

void checkWeights(const Tensor& weights, const ConvParams& p) {
  if (weights.rank() != 3 + p.getNumFieldDims()) {
    throw poplibs_error("Weight tensor does not have the expected rank, got " +
                        weights.shapeToString());
  }
  checkField(weights, p.kernelShape, 3, "kernel");
  check(weights.dim(0) == p.numConvGroups, "Number of convolution groups of weights tensor",
        weights);
  check(weights.dim(1) == p.outputChannelsPerConvGroup, "Kernel output channel size", weights);
  check(weights.dim(2) == p.inputChannelsPerConvGroup, "Kernel input channel size", weights);
  check(weights.elementType() == p.inputType,
        "Type " + weights.elementType().toString() + " of weights tensor", weights);
}

}  // namespace poplin
