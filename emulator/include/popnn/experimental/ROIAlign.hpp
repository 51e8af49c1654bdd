#ifndef popnn_ROIAlign_hpp
#define popnn_ROIAlign_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popnn {
namespace experimental {

/// Regions of interest, pooled to `alignedHeight_` x `alignedWidth_` bins, each the mean of
/// `samplingRatio_` x `samplingRatio_` bilinear samples. Aligned regions are shifted by half a
/// pixel; others are 1 x 1 at least.
struct roiAlignParams {
  long unsigned int samplingRatio_, alignedHeight_, alignedWidth_;
  bool aligned_;
  float spatialScale_;
  roiAlignParams(long unsigned int samplingRatio, long unsigned int poolH, long unsigned int poolW,
                 bool aligned, float spatialScale)
      : samplingRatio_(samplingRatio),
        alignedHeight_(poolH),
        alignedWidth_(poolW),
        aligned_(aligned),
        spatialScale_(spatialScale) {}
};

/// Of images [B, C, H, W] and regions [R, 4], rows of x1, y1, x2, y2, with the image of each [R],
/// the bins [R, C, alignedHeight_, alignedWidth_].
poplar::Tensor roiAlignFwd(poplar::Graph& graph, poplar::program::Sequence& prog,
                           poplar::Tensor& bottomData, poplar::Tensor& bottomRois,
                           poplar::Tensor& bottomBatchIndex, const roiAlignParams& params,
                           const poplar::DebugContext& debugContext = {});

/// The gradient of the images, from that of the bins.
poplar::Tensor roiAlignInputGradient(poplar::Graph& graph, poplar::program::Sequence& prog,
                                     poplar::Tensor& bottomData, poplar::Tensor& bottomRois,
                                     poplar::Tensor& bottomBatchIndex, poplar::Tensor& topDataGrad,
                                     const roiAlignParams& params,
                                     const poplar::DebugContext& debugContext = {});

}  // namespace experimental
}  // namespace popnn

#endif  // popnn_ROIAlign_hpp
