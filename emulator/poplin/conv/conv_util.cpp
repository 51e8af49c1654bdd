#include <algorithm>
#include <poplin/ConvUtil.hpp>

namespace poplin {

namespace {

using Range = std::pair<unsigned, unsigned>;
constexpr unsigned kNone = ~0U;

// The index after the transform, of one before it; kNone where it is truncated.
unsigned transform(unsigned index, std::size_t size, const ConvParams::InputTransform& t,
                   unsigned dim) {
  if (index < t.truncationLower[dim] || index + t.truncationUpper[dim] >= size) return kNone;
  const unsigned left =
      static_cast<unsigned>(size) - t.truncationLower[dim] - t.truncationUpper[dim];
  const unsigned at = t.paddingLower[dim] + (index - t.truncationLower[dim]) * t.dilation[dim];
  const unsigned total =
      t.paddingLower[dim] + getDilatedSize(left, t.dilation[dim]) + t.paddingUpper[dim];
  return t.flip[dim] ? total - 1 - at : at;
}

// The reverse; kNone for padding and the zeros of a dilation.
unsigned untransform(unsigned index, std::size_t size, const ConvParams::InputTransform& t,
                     unsigned dim) {
  const unsigned left =
      static_cast<unsigned>(size) - t.truncationLower[dim] - t.truncationUpper[dim];
  const unsigned dilated = getDilatedSize(left, t.dilation[dim]);
  const unsigned total = t.paddingLower[dim] + dilated + t.paddingUpper[dim];
  if (index >= total) return kNone;
  const unsigned at = t.flip[dim] ? total - 1 - index : index;
  if (at < t.paddingLower[dim] || at - t.paddingLower[dim] >= dilated) return kNone;
  const unsigned in = at - t.paddingLower[dim];
  return in % t.dilation[dim] == 0 ? in / t.dilation[dim] + t.truncationLower[dim] : kNone;
}

// The index of an output before the transform of outputs; kNone for padding.
unsigned untransformOutput(unsigned index, const ConvParams& p, unsigned dim) {
  const ConvParams::OutputTransform& t = p.outputTransform;
  if (index < t.paddingLower[dim] || index + t.paddingUpper[dim] >= p.getOutputSize(dim)) {
    return kNone;
  }
  return (index - t.paddingLower[dim]) * t.stride[dim] + t.truncationLower[dim];
}

void include(Range& range, unsigned index) {
  const bool empty = range.first == range.second;
  range.first = empty ? index : std::min(range.first, index);
  range.second = empty ? index + 1 : std::max(range.second, index + 1);
}

// Calls fn(output, kernel, input) for all of the ranges that meet.
template <class Fn>
void forEach(unsigned dim, Range outputs, Range kernels, const ConvParams& p, const Fn& fn) {
  for (unsigned k = kernels.first; k < kernels.second; ++k) {
    for (unsigned o = outputs.first; o < outputs.second; ++o) {
      const unsigned i = getInputIndex(dim, o, k, p);
      if (i != kNone) fn(o, k, i);
    }
  }
}

Range wholeKernel(const ConvParams& p, unsigned dim) {
  return {0, static_cast<unsigned>(p.kernelShape[dim])};
}

}  // namespace

unsigned getDilatedSize(unsigned size, unsigned dilation) {
  return size == 0 ? 0 : 1 + (size - 1) * dilation;
}

unsigned getInputIndex(unsigned dim, unsigned outputIndex, unsigned kernelIndex,
                       const ConvParams& p) {
  const unsigned kernel = transform(kernelIndex, p.kernelShape[dim], p.kernelTransform, dim);
  const unsigned output = untransformOutput(outputIndex, p, dim);
  if (kernel == kNone || output == kNone) return kNone;
  return untransform(kernel + output, p.inputFieldShape[dim], p.inputTransform, dim);
}

unsigned getKernelIndex(unsigned dim, unsigned outputIndex, unsigned inputIndex,
                        const ConvParams& p) {
  const unsigned input = transform(inputIndex, p.inputFieldShape[dim], p.inputTransform, dim);
  const unsigned output = untransformOutput(outputIndex, p, dim);
  if (input == kNone || output == kNone || output > input) return kNone;
  return untransform(input - output, p.kernelShape[dim], p.kernelTransform, dim);
}

Range getOutputRangeForKernelIndex(unsigned dim, Range outputRange, unsigned kernelIndex,
                                   const ConvParams& params) {
  return getOutputRangeForKernelRange(dim, outputRange, {kernelIndex, kernelIndex + 1}, params);
}

Range getOutputRangeForInputIndex(unsigned dim, Range outputRange, unsigned inputIndex,
                                  const ConvParams& params) {
  return getOutputRangeForInputRange(dim, outputRange, {inputIndex, inputIndex + 1}, params);
}

Range getOutputRangeForKernelRange(unsigned dim, Range outputRange, Range kernelIndexRange,
                                   const ConvParams& params) {
  Range out(0, 0);
  forEach(dim, outputRange, kernelIndexRange, params,
          [&](unsigned o, unsigned, unsigned) { include(out, o); });
  return out;
}

Range getOutputRangeForInputRange(unsigned dim, Range outputRange, Range inputRange,
                                  const ConvParams& params) {
  Range out(0, 0);
  forEach(dim, outputRange, wholeKernel(params, dim), params,
          [&](unsigned o, unsigned, unsigned i) {
            if (i >= inputRange.first && i < inputRange.second) include(out, o);
          });
  return out;
}

Range getInputRange(unsigned dim, Range outputRange, unsigned kernelIndex,
                    const ConvParams& params) {
  return getInputRange(dim, outputRange, Range(kernelIndex, kernelIndex + 1), params);
}

Range getInputRange(unsigned dim, Range outputRange, Range kernelIndexRange,
                    const ConvParams& params) {
  Range out(0, 0);
  forEach(dim, outputRange, kernelIndexRange, params,
          [&](unsigned, unsigned, unsigned i) { include(out, i); });
  return out;
}

Range getKernelRange(unsigned dim, Range outputRange, unsigned inputIndex,
                     const ConvParams& params) {
  return getKernelRange(dim, outputRange, Range(inputIndex, inputIndex + 1), params);
}

Range getKernelRange(unsigned dim, Range outputRange, Range inputRange, const ConvParams& params) {
  Range out(0, 0);
  forEach(dim, outputRange, wholeKernel(params, dim), params,
          [&](unsigned, unsigned k, unsigned i) {
            if (i >= inputRange.first && i < inputRange.second) include(out, k);
          });
  return out;
}

}  // namespace poplin
