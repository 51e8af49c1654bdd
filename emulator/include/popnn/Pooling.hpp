#ifndef popnn_Pooling_hpp
#define popnn_Pooling_hpp

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popnn/PoolingDef.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace popnn {
namespace pooling {

/// Windows of `kernelShape` over a field that is padded, or truncated where the padding is
/// negative. Elements of the padding take no part: an average is of those in the field.
struct PoolParams {
  PoolingType poolingType;
  std::vector<std::size_t> inputFieldShape;
  std::vector<std::size_t> kernelShape;
  std::vector<unsigned> stride;
  std::vector<int> inputTruncationOrPaddingLower;
  std::vector<int> inputTruncationOrPaddingUpper;
  std::size_t numChannels;
  std::size_t batchSize;
  poplar::Type dType;

  PoolParams(PoolingType poolingType_, std::vector<std::size_t> inputFieldShape_,
             std::vector<std::size_t> kernelShape_, std::vector<unsigned> stride_,
             std::vector<int> inputTruncationOrPaddingLower_,
             std::vector<int> inputTruncationOrPaddingUpper_, std::size_t numChannels_,
             std::size_t batchSize_, poplar::Type dType_)
      : poolingType(poolingType_),
        inputFieldShape(std::move(inputFieldShape_)),
        kernelShape(std::move(kernelShape_)),
        stride(std::move(stride_)),
        inputTruncationOrPaddingLower(std::move(inputTruncationOrPaddingLower_)),
        inputTruncationOrPaddingUpper(std::move(inputTruncationOrPaddingUpper_)),
        numChannels(numChannels_),
        batchSize(batchSize_),
        dType(dType_) {}

  std::size_t getNumFieldDims() const { return inputFieldShape.size(); }
  std::vector<std::size_t> getOutputFieldShape() const;
};

std::ostream& operator<<(std::ostream& o, const PoolParams& params);
const char* asString(const PoolingType& method);
std::vector<std::size_t> getOutputFieldShape(const PoolParams& params);

std::uint64_t getFwdFlops(const PoolParams& params);
std::uint64_t getBwdFlops(const PoolParams& params);
double getFwdPerfectCycleCount(const poplar::Graph& graph, const PoolParams& params);
double getBwdPerfectCycleCount(const poplar::Graph& graph, const PoolParams& params);

/// Pools `in` [B, C, field...]. A maximum of nothing but padding is 0.
poplar::Tensor pool(poplar::Graph& graph, const PoolParams& params, const poplar::Tensor& in,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                    const poplar::OptionFlags& options = {});

/// The gradient of `in`. Every element that equals the maximum of a window takes the gradient of
/// the window: all of it, or with `useScaledGradient` an equal fraction of it.
poplar::Tensor poolInputGradient(poplar::Graph& graph, const PoolParams& params,
                                 const poplar::Tensor& in, const poplar::Tensor& pooled,
                                 const poplar::Tensor& pooledGradient, bool useScaledGradient,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {});
/// Of averages and sums, which need no values of the forward pass.
poplar::Tensor poolInputGradient(poplar::Graph& graph, const PoolParams& params,
                                 const unsigned fwdChansPerGroup,
                                 const poplar::Tensor& pooledGradient,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {});

}  // namespace pooling
}  // namespace popnn

#endif  // popnn_Pooling_hpp
