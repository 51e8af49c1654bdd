#ifndef poplin_ConvParams_hpp
#define poplin_ConvParams_hpp

#include <cstddef>
#include <iosfwd>
#include <poplar/Type.hpp>
#include <vector>

namespace poplin {

/// A convolution: sizes, types, and transforms of the input, the kernel and the output, each with
/// one entry for a field dimension. The input and the kernel are truncated, dilated, padded and
/// flipped, in this order; the output of their convolution is truncated, strided and padded.
struct ConvParams {
  struct InputTransform {
    std::vector<unsigned> truncationLower;
    std::vector<unsigned> truncationUpper;
    std::vector<unsigned> dilation;
    std::vector<unsigned> paddingLower;
    std::vector<unsigned> paddingUpper;
    std::vector<bool> flip;

    InputTransform() = default;
    /// Changes nothing, in `size` dimensions.
    InputTransform(const std::size_t size);
    InputTransform(std::vector<unsigned> truncationLower, std::vector<unsigned> truncationUpper,
                   std::vector<unsigned> dilation, std::vector<unsigned> paddingLower,
                   std::vector<unsigned> paddingUpper, std::vector<bool> flip);
    friend bool operator<(const InputTransform& a, const InputTransform& b);
    friend bool operator==(const InputTransform& a, const InputTransform& b);
    friend bool operator!=(const InputTransform& a, const InputTransform& b);
  };

  struct OutputTransform {
    std::vector<unsigned> truncationLower;
    std::vector<unsigned> truncationUpper;
    std::vector<unsigned> stride;
    std::vector<unsigned> paddingLower;
    std::vector<unsigned> paddingUpper;

    OutputTransform() = default;
    OutputTransform(const std::size_t size);
    OutputTransform(std::vector<unsigned> truncationLower, std::vector<unsigned> truncationUpper,
                    std::vector<unsigned> striding, std::vector<unsigned> paddingLower,
                    std::vector<unsigned> paddingUpper);
    friend bool operator<(const OutputTransform& a, const OutputTransform& b);
    friend bool operator==(const OutputTransform& a, const OutputTransform& b);
    friend bool operator!=(const OutputTransform& a, const OutputTransform& b);
  };

  poplar::Type inputType;
  poplar::Type outputType;
  std::size_t batchSize;
  std::vector<std::size_t> inputFieldShape;
  std::vector<std::size_t> kernelShape;
  std::size_t inputChannelsPerConvGroup;
  std::size_t outputChannelsPerConvGroup;
  std::size_t numConvGroups;
  InputTransform inputTransform;
  InputTransform kernelTransform;
  OutputTransform outputTransform;

  ConvParams() = default;
  /// Channels are those of a group.
  ConvParams(poplar::Type dataType, std::size_t batchSize, std::vector<std::size_t> inputFieldShape,
             std::vector<std::size_t> kernelShape, std::size_t inputChannels,
             std::size_t outputChannels, std::size_t numConvGroups);
  ConvParams(poplar::Type inputType, poplar::Type outputType, std::size_t batchSize,
             std::vector<std::size_t> inputFieldShape, std::vector<std::size_t> kernelShape,
             std::size_t inputChannels, std::size_t outputChannels, std::size_t numConvGroups);
  ConvParams(poplar::Type inputType, poplar::Type outputType, std::size_t batchSize,
             std::vector<std::size_t> inputFieldShape, std::vector<std::size_t> kernelShape,
             std::size_t inputChannels, std::size_t outputChannels, std::size_t numConvGroups,
             InputTransform inputTransform, InputTransform kernelTransform,
             OutputTransform outputTransform);

  /// The size of the output before its own transform, and after it.
  std::size_t getUntransformedOutputSize(unsigned dim) const;
  std::size_t getOutputSize(unsigned dim) const;
  std::size_t getNumOutputChansPerConvGroup() const { return outputChannelsPerConvGroup; }
  std::size_t getNumOutputChans() const { return outputChannelsPerConvGroup * numConvGroups; }
  std::size_t getInputSize(unsigned dim) const { return inputFieldShape[dim]; }
  std::size_t getNumInputChansPerConvGroup() const { return inputChannelsPerConvGroup; }
  std::size_t getNumInputChans() const { return inputChannelsPerConvGroup * numConvGroups; }
  std::size_t getNumConvGroups() const { return numConvGroups; }
  std::size_t getNumFieldDims() const { return inputFieldShape.size(); }
  std::vector<std::size_t> getInputFieldShape() const { return inputFieldShape; }
  std::vector<std::size_t> getKernelShape() const { return kernelShape; }
  std::size_t getBatchSize() const { return batchSize; }

  unsigned getTruncatedInputSize(unsigned dim) const;
  unsigned getTruncatedKernelSize(unsigned dim) const;
  unsigned getTransformedInputSize(unsigned dim) const;
  unsigned getTransformedKernelSize(unsigned dim) const;
  std::vector<size_t> getOutputFieldShape() const;

  /// Throws poputil::poplibs_error where the parameters do not describe a convolution.
  void validate() const;
  /// The same convolution in the one form that its equals share.
  ConvParams canonicalize() const;

  friend bool operator<(const ConvParams& a, const ConvParams& b);
  friend bool operator==(const ConvParams& a, const ConvParams& b);
  friend bool operator!=(const ConvParams& a, const ConvParams& b);
};

std::ostream& operator<<(std::ostream& os, const ConvParams& p);
/// Reads a JSON object with the names of the members; a missing one keeps its value, a missing
/// transform changes nothing. Throws poputil::poplibs_error for other text.
std::istream& operator>>(std::istream& is, ConvParams& p);

std::size_t hash_value(const ConvParams::InputTransform& it);
std::size_t hash_value(const ConvParams::OutputTransform& ot);

}  // namespace poplin

namespace std {
template <>
struct hash<poplin::ConvParams::InputTransform> {
  std::size_t operator()(const poplin::ConvParams::InputTransform& it) const;
};
template <>
struct hash<poplin::ConvParams::OutputTransform> {
  std::size_t operator()(const poplin::ConvParams::OutputTransform& ot) const;
};
template <>
struct hash<poplin::ConvParams> {
  std::size_t operator()(const poplin::ConvParams& params) const;
};
}  // namespace std

#endif  // poplin_ConvParams_hpp
