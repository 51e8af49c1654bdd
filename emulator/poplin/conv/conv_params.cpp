#include <poplin/ConvParams.hpp>
#include <poplin/ConvUtil.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <tuple>
#include <utility>

namespace poplin {

using poputil::poplibs_error;
using InputTransform = ConvParams::InputTransform;
using OutputTransform = ConvParams::OutputTransform;
using Unsigneds = std::vector<unsigned>;

namespace {

auto members(const InputTransform& t) {
  return std::tie(t.truncationLower, t.truncationUpper, t.dilation, t.paddingLower, t.paddingUpper,
                  t.flip);
}

auto members(const OutputTransform& t) {
  return std::tie(t.truncationLower, t.truncationUpper, t.stride, t.paddingLower, t.paddingUpper);
}

auto members(const ConvParams& p) {
  return std::tie(p.inputType, p.outputType, p.batchSize, p.inputFieldShape, p.kernelShape,
                  p.inputChannelsPerConvGroup, p.outputChannelsPerConvGroup, p.numConvGroups,
                  p.inputTransform, p.kernelTransform, p.outputTransform);
}

std::size_t mix(std::size_t seed, std::size_t x) {
  return seed ^ (x + 0x9e3779b9 + (seed << 6) + (seed >> 2));
}

template <class Vector>
std::size_t mixAll(std::size_t seed, const Vector& values) {
  for (const auto x : values) seed = mix(seed, static_cast<std::size_t>(x));
  return mix(seed, values.size());
}

unsigned truncated(std::size_t size, const InputTransform& t, unsigned dim) {
  return static_cast<unsigned>(size) - t.truncationLower[dim] - t.truncationUpper[dim];
}

unsigned transformed(std::size_t size, const InputTransform& t, unsigned dim) {
  return t.paddingLower[dim] + getDilatedSize(truncated(size, t, dim), t.dilation[dim]) +
         t.paddingUpper[dim];
}

void checkDimensions(const ConvParams& p) {
  const std::size_t n = p.inputFieldShape.size();
  if (p.kernelShape.size() != n) {
    throw poplibs_error(
        "Number of kernel field dimensions (" + std::to_string(p.kernelShape.size()) +
        ") does not match the number of input field dimensions (" + std::to_string(n) + ")");
  }
  const InputTransform &in = p.inputTransform, &kernel = p.kernelTransform;
  const OutputTransform& out = p.outputTransform;
  const std::pair<std::size_t, const char*> sizes[] = {
      {in.truncationLower.size(), "input truncation (lower)"},
      {in.truncationUpper.size(), "input truncation (upper)"},
      {in.dilation.size(), "input dilation"},
      {in.paddingLower.size(), "input padding (lower)"},
      {in.paddingUpper.size(), "input padding (upper)"},
      {in.flip.size(), "input flip"},
      {kernel.truncationLower.size(), "kernel truncation (lower)"},
      {kernel.truncationUpper.size(), "kernel truncation (upper)"},
      {kernel.dilation.size(), "kernel dilation"},
      {kernel.paddingLower.size(), "kernel padding (lower)"},
      {kernel.paddingUpper.size(), "kernel padding (upper)"},
      {kernel.flip.size(), "kernel flip"},
      {out.truncationLower.size(), "output truncation (lower)"},
      {out.truncationUpper.size(), "output truncation (upper)"},
      {out.stride.size(), "stride"},
      {out.paddingLower.size(), "output padding (lower)"},
      {out.paddingUpper.size(), "output padding (upper)"},
  };
  for (const auto& entry : sizes) {
    if (entry.first != n) {
      throw poplibs_error(
          std::string("Number of ") + entry.second + " dimensions (" + std::to_string(entry.first) +
          ") does not match the number of field dimensions (" + std::to_string(n) + ")");
    }
  }
}

void checkFactors(const ConvParams& p) {
  for (const unsigned stride : p.outputTransform.stride) {
    if (stride == 0) throw poplibs_error("Stride must be non zero");
  }
  const std::pair<const Unsigneds&, const char*> dilations[] = {
      {p.inputTransform.dilation, "Input"}, {p.kernelTransform.dilation, "Kernel"}};
  for (const auto& entry : dilations) {
    for (const unsigned dilation : entry.first) {
      if (dilation == 0) {
        throw poplibs_error(std::string(entry.second) +
                            " dilation must be non zero. Dilation = 1 results in no dilation");
      }
    }
  }
}

void checkTruncation(const InputTransform& t, std::size_t size, unsigned dim, const char* of) {
  const std::size_t total = std::size_t{t.truncationLower[dim]} + t.truncationUpper[dim];
  if (total > size) {
    throw poplibs_error("Truncation for dimension " + std::to_string(dim) + " (" +
                        std::to_string(total) + ") truncates by more than the size of the " + of +
                        " (" + std::to_string(size) + ")");
  }
}

void checkSizes(const ConvParams& p, unsigned dim) {
  checkTruncation(p.inputTransform, p.inputFieldShape[dim], dim, "field");
  checkTruncation(p.kernelTransform, p.kernelShape[dim], dim, "kernel");
  const unsigned in = p.getTransformedInputSize(dim), kernel = p.getTransformedKernelSize(dim);
  if (kernel == 0) {
    throw poplibs_error("Transformed kernel for dimension " + std::to_string(dim) +
                        " has zero size");
  }
  if (in < kernel) {
    throw poplibs_error("Transformed input size for dimension " + std::to_string(dim) + " (" +
                        std::to_string(in) + ") is less than the transformed kernel size (" +
                        std::to_string(kernel) + ")");
  }
  const std::size_t out = p.getUntransformedOutputSize(dim);
  const std::size_t total =
      std::size_t{p.outputTransform.truncationLower[dim]} + p.outputTransform.truncationUpper[dim];
  if (total > out) {
    throw poplibs_error("Output truncation for dimension " + std::to_string(dim) + " (" +
                        std::to_string(total) +
                        ") truncates by more than the size of the convolution output (" +
                        std::to_string(out) + ")");
  }
}

}  // namespace

bool operator<(const InputTransform& a, const InputTransform& b) { return members(a) < members(b); }
bool operator==(const InputTransform& a, const InputTransform& b) {
  return members(a) == members(b);
}
bool operator!=(const InputTransform& a, const InputTransform& b) { return !(a == b); }
bool operator<(const OutputTransform& a, const OutputTransform& b) {
  return members(a) < members(b);
}
bool operator==(const OutputTransform& a, const OutputTransform& b) {
  return members(a) == members(b);
}
bool operator!=(const OutputTransform& a, const OutputTransform& b) { return !(a == b); }
bool operator<(const ConvParams& a, const ConvParams& b) { return members(a) < members(b); }
bool operator==(const ConvParams& a, const ConvParams& b) { return members(a) == members(b); }
bool operator!=(const ConvParams& a, const ConvParams& b) { return !(a == b); }

InputTransform::InputTransform(Unsigneds truncationLower_, Unsigneds truncationUpper_,
                               Unsigneds dilation_, Unsigneds paddingLower_,
                               Unsigneds paddingUpper_, std::vector<bool> flip_)
    : truncationLower(std::move(truncationLower_)),
      truncationUpper(std::move(truncationUpper_)),
      dilation(std::move(dilation_)),
      paddingLower(std::move(paddingLower_)),
      paddingUpper(std::move(paddingUpper_)),
      flip(std::move(flip_)) {}

InputTransform::InputTransform(const std::size_t n)
    : InputTransform(Unsigneds(n, 0), Unsigneds(n, 0), Unsigneds(n, 1), Unsigneds(n, 0),
                     Unsigneds(n, 0), std::vector<bool>(n, false)) {}

OutputTransform::OutputTransform(Unsigneds truncationLower_, Unsigneds truncationUpper_,
                                 Unsigneds stride_, Unsigneds paddingLower_,
                                 Unsigneds paddingUpper_)
    : truncationLower(std::move(truncationLower_)),
      truncationUpper(std::move(truncationUpper_)),
      stride(std::move(stride_)),
      paddingLower(std::move(paddingLower_)),
      paddingUpper(std::move(paddingUpper_)) {}

OutputTransform::OutputTransform(const std::size_t n)
    : OutputTransform(Unsigneds(n, 0), Unsigneds(n, 0), Unsigneds(n, 1), Unsigneds(n, 0),
                      Unsigneds(n, 0)) {}

ConvParams::ConvParams(poplar::Type inputType_, poplar::Type outputType_, std::size_t batchSize_,
                       std::vector<std::size_t> inputFieldShape_,
                       std::vector<std::size_t> kernelShape_, std::size_t inputChannels,
                       std::size_t outputChannels, std::size_t numConvGroups_,
                       InputTransform inputTransform_, InputTransform kernelTransform_,
                       OutputTransform outputTransform_)
    : inputType(inputType_),
      outputType(outputType_),
      batchSize(batchSize_),
      inputFieldShape(std::move(inputFieldShape_)),
      kernelShape(std::move(kernelShape_)),
      inputChannelsPerConvGroup(inputChannels),
      outputChannelsPerConvGroup(outputChannels),
      numConvGroups(numConvGroups_),
      inputTransform(std::move(inputTransform_)),
      kernelTransform(std::move(kernelTransform_)),
      outputTransform(std::move(outputTransform_)) {}

ConvParams::ConvParams(poplar::Type inputType_, poplar::Type outputType_, std::size_t batchSize_,
                       std::vector<std::size_t> inputFieldShape_,
                       std::vector<std::size_t> kernelShape_, std::size_t inputChannels,
                       std::size_t outputChannels, std::size_t numConvGroups_)
    : ConvParams(inputType_, outputType_, batchSize_, inputFieldShape_, kernelShape_, inputChannels,
                 outputChannels, numConvGroups_, InputTransform(inputFieldShape_.size()),
                 InputTransform(inputFieldShape_.size()),
                 OutputTransform(inputFieldShape_.size())) {}

ConvParams::ConvParams(poplar::Type dataType, std::size_t batchSize_,
                       std::vector<std::size_t> inputFieldShape_,
                       std::vector<std::size_t> kernelShape_, std::size_t inputChannels,
                       std::size_t outputChannels, std::size_t numConvGroups_)
    : ConvParams(dataType, dataType, batchSize_, std::move(inputFieldShape_),
                 std::move(kernelShape_), inputChannels, outputChannels, numConvGroups_) {}

unsigned ConvParams::getTruncatedInputSize(unsigned dim) const {
  return truncated(inputFieldShape[dim], inputTransform, dim);
}
unsigned ConvParams::getTruncatedKernelSize(unsigned dim) const {
  return truncated(kernelShape[dim], kernelTransform, dim);
}
unsigned ConvParams::getTransformedInputSize(unsigned dim) const {
  return transformed(inputFieldShape[dim], inputTransform, dim);
}
unsigned ConvParams::getTransformedKernelSize(unsigned dim) const {
  return transformed(kernelShape[dim], kernelTransform, dim);
}

std::size_t ConvParams::getUntransformedOutputSize(unsigned dim) const {
  return std::size_t{getTransformedInputSize(dim)} + 1 - getTransformedKernelSize(dim);
}

std::size_t ConvParams::getOutputSize(unsigned dim) const {
  const OutputTransform& t = outputTransform;
  const std::size_t left =
      getUntransformedOutputSize(dim) - t.truncationLower[dim] - t.truncationUpper[dim];
  return t.paddingLower[dim] + (left + t.stride[dim] - 1) / t.stride[dim] + t.paddingUpper[dim];
}

std::vector<std::size_t> ConvParams::getOutputFieldShape() const {
  std::vector<std::size_t> out;
  for (unsigned dim = 0; dim < inputFieldShape.size(); ++dim) out.push_back(getOutputSize(dim));
  return out;
}

void ConvParams::validate() const {
  checkDimensions(*this);
  checkFactors(*this);
  for (unsigned dim = 0; dim < inputFieldShape.size(); ++dim) checkSizes(*this, dim);
}

std::size_t hash_value(const InputTransform& t) { return std::hash<InputTransform>()(t); }
std::size_t hash_value(const OutputTransform& t) { return std::hash<OutputTransform>()(t); }

}  // namespace poplin

std::size_t std::hash<poplin::ConvParams::InputTransform>::operator()(
    const poplin::ConvParams::InputTransform& t) const {
  std::size_t seed = 0;
  for (const auto* v :
       {&t.truncationLower, &t.truncationUpper, &t.dilation, &t.paddingLower, &t.paddingUpper}) {
    seed = poplin::mixAll(seed, *v);
  }
  return poplin::mixAll(seed, t.flip);
}

std::size_t std::hash<poplin::ConvParams::OutputTransform>::operator()(
    const poplin::ConvParams::OutputTransform& t) const {
  std::size_t seed = 0;
  for (const auto* v :
       {&t.truncationLower, &t.truncationUpper, &t.stride, &t.paddingLower, &t.paddingUpper}) {
    seed = poplin::mixAll(seed, *v);
  }
  return seed;
}

std::size_t std::hash<poplin::ConvParams>::operator()(const poplin::ConvParams& p) const {
  std::size_t seed = poplin::mixAll(0, p.inputFieldShape);
  seed = poplin::mixAll(seed, p.kernelShape);
  for (const std::size_t x :
       {static_cast<std::size_t>(p.inputType.code()), static_cast<std::size_t>(p.outputType.code()),
        p.batchSize, p.inputChannelsPerConvGroup, p.outputChannelsPerConvGroup, p.numConvGroups,
        hash_value(p.inputTransform), hash_value(p.kernelTransform),
        hash_value(p.outputTransform)}) {
    seed = poplin::mix(seed, x);
  }
  return seed;
}
