#include <poplin/ConvUtil.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {

ConvParams getGradientParams(const ConvParams& params) {
  const ConvParams p = params.canonicalize();
  const ConvParams::InputTransform &in = p.inputTransform, &kernel = p.kernelTransform;
  const ConvParams::OutputTransform& out = p.outputTransform;
  // Each output is spread over the kernel's size: a convolution with as much padding. A stride is
  // undone by a dilation, and the other way round; truncation by padding, too.
  std::vector<unsigned> lower = out.truncationLower, upper = out.truncationUpper;
  std::vector<bool> flip(p.getNumFieldDims(), false), flipKernel = kernel.flip;
  for (unsigned dim = 0; dim < p.getNumFieldDims(); ++dim) {
    lower[dim] += p.getTransformedKernelSize(dim) - 1;
    upper[dim] += p.getTransformedKernelSize(dim) - 1;
    // To flip the result is to flip both operands.
    flip[dim] = in.flip[dim];
    if (in.flip[dim]) flipKernel[dim] = !flipKernel[dim];
  }
  // The caller reverses the weights, so that their two ends are exchanged.
  return ConvParams(p.inputType, p.outputType, p.batchSize, p.getOutputFieldShape(), p.kernelShape,
                    p.outputChannelsPerConvGroup, p.inputChannelsPerConvGroup, p.numConvGroups,
                    {out.paddingLower, out.paddingUpper, out.stride, lower, upper, flip},
                    {kernel.truncationUpper, kernel.truncationLower, kernel.dilation,
                     kernel.paddingUpper, kernel.paddingLower, flipKernel},
                    {in.paddingLower, in.paddingUpper, in.dilation, in.truncationLower,
                     in.truncationUpper})
      .canonicalize();
}

ConvParams getWeightUpdateParams(const ConvParams& fwdParams) {
  const ConvParams p = fwdParams.canonicalize();
  const ConvParams::InputTransform& kernel = p.kernelTransform;
  const ConvParams::OutputTransform& out = p.outputTransform;
  // The output's gradient is the kernel, the input's channels are the batch, and the batch is
  // summed over as channels are.
  ConvParams::InputTransform in = p.inputTransform;
  for (unsigned dim = 0; dim < p.getNumFieldDims(); ++dim) {
    if (kernel.flip[dim]) in.flip[dim] = !in.flip[dim];
  }
  return ConvParams(p.inputType, p.outputType, p.inputChannelsPerConvGroup, p.inputFieldShape,
                    p.getOutputFieldShape(), p.batchSize, p.outputChannelsPerConvGroup,
                    p.numConvGroups, in,
                    {out.paddingLower, out.paddingUpper, out.stride, out.truncationLower,
                     out.truncationUpper, kernel.flip},
                    {kernel.paddingLower, kernel.paddingUpper, kernel.dilation,
                     kernel.truncationLower, kernel.truncationUpper})
      .canonicalize();
}

}  // namespace poplin
