#ifndef poplin_ConvUtil_hpp
#define poplin_ConvUtil_hpp

#include <poplin/Convolution.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace poplin {

/// The size of a field after dilation.
unsigned getDilatedSize(unsigned size, unsigned dilation);

/// In dimension `dim`: the index of the input that is multiplied by a kernel's element for an
/// output, and of the kernel that is multiplied by an input; ~0U where there is none.
unsigned getInputIndex(unsigned dim, unsigned outputIndex, unsigned kernelIndex,
                       const ConvParams& params);
unsigned getKernelIndex(unsigned dim, unsigned outputIndex, unsigned inputIndex,
                        const ConvParams& params);

// Ranges are [first, second); {0, 0} is empty. Each is the smallest that has all of the indices
// that take part.
std::pair<unsigned, unsigned> getOutputRangeForKernelIndex(
    unsigned dim, std::pair<unsigned, unsigned> outputRange, unsigned kernelIndex,
    const ConvParams& params);
std::pair<unsigned, unsigned> getOutputRangeForInputIndex(unsigned dim,
                                                          std::pair<unsigned, unsigned> outputRange,
                                                          unsigned inputIndex,
                                                          const ConvParams& params);
std::pair<unsigned, unsigned> getOutputRangeForKernelRange(
    unsigned dim, std::pair<unsigned, unsigned> outputRange,
    std::pair<unsigned, unsigned> kernelIndexRange, const ConvParams& params);
std::pair<unsigned, unsigned> getOutputRangeForInputRange(unsigned dim,
                                                          std::pair<unsigned, unsigned> outputRange,
                                                          std::pair<unsigned, unsigned> inputRange,
                                                          const ConvParams& params);

std::pair<unsigned, unsigned> getInputRange(unsigned dim, std::pair<unsigned, unsigned> outputRange,
                                            unsigned kernelIndex, const ConvParams& params);
std::pair<unsigned, unsigned> getKernelRange(unsigned dim,
                                             std::pair<unsigned, unsigned> outputRange,
                                             unsigned inputIndex, const ConvParams& params);
std::pair<unsigned, unsigned> getInputRange(unsigned dim, std::pair<unsigned, unsigned> outputRange,
                                            std::pair<unsigned, unsigned> kernelIndexRange,
                                            const ConvParams& params);
std::pair<unsigned, unsigned> getKernelRange(unsigned dim,
                                             std::pair<unsigned, unsigned> outputRange,
                                             std::pair<unsigned, unsigned> inputRange,
                                             const ConvParams& params);

inline std::pair<unsigned, unsigned> getInputRange(unsigned dim, unsigned outputIndex,
                                                   std::pair<unsigned, unsigned> kernelIndexRange,
                                                   const ConvParams& params) {
  return getInputRange(dim, std::pair<unsigned, unsigned>(outputIndex, outputIndex + 1),
                       kernelIndexRange, params);
}
inline std::pair<unsigned, unsigned> getInputRange(unsigned dim,
                                                   std::pair<unsigned, unsigned> outputRange,
                                                   const ConvParams& params) {
  return getInputRange(
      dim, outputRange,
      std::pair<unsigned, unsigned>(0, static_cast<unsigned>(params.kernelShape[dim])), params);
}
inline std::pair<unsigned, unsigned> getInputRange(unsigned dim, unsigned outputIndex,
                                                   const ConvParams& params) {
  return getInputRange(dim, std::pair<unsigned, unsigned>(outputIndex, outputIndex + 1), params);
}

/// The convolution of the output's gradient that gives the input's, with weights that are
/// transposed and flipped; and the one that gives the gradient of the weights. Both canonical.
ConvParams getGradientParams(const ConvParams& params);
ConvParams getWeightUpdateParams(const ConvParams& fwdParams);

}  // namespace poplin

#endif  // poplin_ConvUtil_hpp
