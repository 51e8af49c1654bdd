#include <algorithm>
#include <poplin/ConvUtil.hpp>
#include <utility>

namespace poplin {

namespace {

using Range = std::pair<unsigned, unsigned>;

std::vector<unsigned> asUnsigned(const std::vector<std::size_t>& v) {
  return std::vector<unsigned>(v.begin(), v.end());
}

// A convolution whose outputs are all zero: all is truncated, and then padded to one element.
ConvParams zeroConvolution(const ConvParams& p) {
  const std::size_t n = p.getNumFieldDims();
  const std::vector<unsigned> zeros(n, 0), ones(n, 1);
  const std::vector<bool> flip(n, false);
  ConvParams out = p;
  out.inputTransform = {zeros, asUnsigned(p.inputFieldShape), ones, ones, zeros, flip};
  out.kernelTransform = {zeros, asUnsigned(p.kernelShape), ones, ones, zeros, flip};
  out.outputTransform = {zeros, ones, ones, zeros, asUnsigned(p.getOutputFieldShape())};
  return out;
}

// Outputs known to be zero become padding, and those that a stride passes over at the end are
// truncated: then the stride's reverse is a dilation without padding.
void canonicalizeOutput(ConvParams& p, unsigned dim, unsigned size, Range nonZero) {
  ConvParams::OutputTransform& t = p.outputTransform;
  const unsigned lower = nonZero.first, upper = size - nonZero.second;
  if (lower > t.paddingLower[dim]) {
    t.truncationLower[dim] += (lower - t.paddingLower[dim]) * t.stride[dim];
    t.paddingLower[dim] = lower;
  }
  if (upper > t.paddingUpper[dim]) {
    t.truncationUpper[dim] += (upper - t.paddingUpper[dim]) * t.stride[dim];
    t.paddingUpper[dim] = upper;
  }
  const unsigned left = static_cast<unsigned>(p.getUntransformedOutputSize(dim)) -
                        t.truncationLower[dim] - t.truncationUpper[dim];
  t.truncationUpper[dim] += (left - 1) % t.stride[dim];
  if (left - (left - 1) % t.stride[dim] == 1) t.stride[dim] = 1;
}

// Elements that nothing uses are truncated, and padding stands in their place.
void truncateUnused(ConvParams::InputTransform& t, unsigned dim, std::size_t size, Range used) {
  const unsigned lower = used.first, upper = static_cast<unsigned>(size) - used.second;
  if (lower > t.truncationLower[dim]) {
    t.paddingLower[dim] += (lower - t.truncationLower[dim]) * t.dilation[dim];
    t.truncationLower[dim] = lower;
  }
  if (upper > t.truncationUpper[dim]) {
    t.paddingUpper[dim] += (upper - t.truncationUpper[dim]) * t.dilation[dim];
    t.truncationUpper[dim] = upper;
  }
}

// Padding at an end of the transformed field.
unsigned& padding(ConvParams::InputTransform& t, unsigned dim, bool upper) {
  return upper != t.flip[dim] ? t.paddingUpper[dim] : t.paddingLower[dim];
}

void removeExcessPadding(ConvParams& p, unsigned dim) {
  // Where the input and the kernel are both padded, the products are of zeros.
  for (const bool upper : {false, true}) {
    unsigned &in = padding(p.inputTransform, dim, upper),
             &kernel = padding(p.kernelTransform, dim, upper);
    const unsigned excess = std::min({in, kernel, p.getTransformedKernelSize(dim) - 1});
    in -= excess;
    kernel -= excess;
  }
  // Padding whose outputs are truncated.
  for (const bool upper : {false, true}) {
    unsigned &in = padding(p.inputTransform, dim, upper),
             &out = upper ? p.outputTransform.truncationUpper[dim]
                          : p.outputTransform.truncationLower[dim];
    const unsigned excess =
        std::min({in, out, static_cast<unsigned>(p.getUntransformedOutputSize(dim)) - 1});
    in -= excess;
    out -= excess;
  }
}

// One element needs neither a dilation nor a flip.
void simplify(ConvParams::InputTransform& t, unsigned dim, std::size_t size) {
  if (size > std::size_t{t.truncationLower[dim]} + 1 + t.truncationUpper[dim]) return;
  t.dilation[dim] = 1;
  if (t.flip[dim]) {
    t.flip[dim] = false;
    std::swap(t.paddingLower[dim], t.paddingUpper[dim]);
  }
}

}  // namespace

ConvParams ConvParams::canonicalize() const {
  validate();
  ConvParams p = *this;
  for (unsigned dim = 0; dim < getNumFieldDims(); ++dim) {
    const unsigned size = static_cast<unsigned>(p.getOutputSize(dim)),
                   kernel = static_cast<unsigned>(p.kernelShape[dim]),
                   input = static_cast<unsigned>(p.inputFieldShape[dim]);
    const Range nonZero = getOutputRangeForKernelRange(dim, Range(0, size), Range(0, kernel), p);
    if (nonZero.first == nonZero.second) return zeroConvolution(p);
    canonicalizeOutput(p, dim, size, nonZero);
    truncateUnused(p.inputTransform, dim, input,
                   getInputRange(dim, Range(0, size), Range(0, kernel), p));
    truncateUnused(p.kernelTransform, dim, kernel,
                   getKernelRange(dim, Range(0, size), Range(0, input), p));
    removeExcessPadding(p, dim);
    simplify(p.inputTransform, dim, input);
    simplify(p.kernelTransform, dim, kernel);
  }
  return p;
}

}  // namespace poplin
