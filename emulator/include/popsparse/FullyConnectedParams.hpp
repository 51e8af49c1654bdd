#ifndef popsparse_FullyConnectedParams_hpp
#define popsparse_FullyConnectedParams_hpp

#include <cassert>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <popsparse/SparsityParams.hpp>

namespace popsparse {
namespace dynamic {

/// A layer whose weights [output channels, input channels] are sparse.
class FullyConnectedParams {
  SparsityParams sparsityParams;
  double nzRatio;
  std::size_t batchSize;
  std::size_t numGroups;
  std::size_t inputChannelsPerGroup;
  std::size_t outputChannelsPerGroup;

 public:
  static FullyConnectedParams createWithNzRatio(const SparsityParams& sparsityParams,
                                                double nzRatio, std::size_t batchSize,
                                                std::size_t numGroups, std::size_t inputChannels,
                                                std::size_t outputChannels);
  static FullyConnectedParams createWithNumNonZeroValues(
      const SparsityParams& sparsityParams, std::size_t numNonZeroElems, std::size_t batchSize,
      std::size_t numGroups, std::size_t inputChannels, std::size_t outputChannels);

  std::size_t getBatchSize() const { return batchSize; }
  std::size_t getNumGroups() const { return numGroups; }
  std::size_t getInputChannels() const { return numGroups * inputChannelsPerGroup; }
  std::size_t getOutputChannels() const { return numGroups * outputChannelsPerGroup; }
  std::size_t getInputChannelsPerGroup() const { return inputChannelsPerGroup; }
  std::size_t getOutputChannelsPerGroup() const { return outputChannelsPerGroup; }
  const SparsityParams& getSparsityParams() const { return sparsityParams; }
  double getNzRatio() const;
  std::size_t getNumNonZeroValues() const;

  friend bool operator<(const FullyConnectedParams& a, const FullyConnectedParams& b);
  friend bool operator==(const FullyConnectedParams& a, const FullyConnectedParams& b);
  friend bool operator!=(const FullyConnectedParams& a, const FullyConnectedParams& b);
};

std::ostream& operator<<(std::ostream& os, const FullyConnectedParams& p);

}  // namespace dynamic
}  // namespace popsparse

#endif  // popsparse_FullyConnectedParams_hpp
