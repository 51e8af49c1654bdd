#include <algorithm>
#include <popnn/experimental/ROIAlign.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <vector>

namespace popnn {
namespace experimental {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

void check(const Tensor& data, const Tensor& rois, const Tensor& images,
           const roiAlignParams& params) {
  if (data.rank() != 4) throw poplibs_error("bottomData must be a 4-dimensional tensor");
  if (rois.rank() != 2) throw poplibs_error("bottomRois must be a 2-dimensional tensor");
  if (rois.dim(1) != 4) throw poplibs_error("bottomRois.dim(1) must have 4 elements");
  if (images.rank() != 1) throw poplibs_error("bottomBatchIndex must be a 1-dimensional tensor");
  if (params.samplingRatio_ == 0) throw poplibs_error("samplingRatio must be greater than 0");
  if (params.spatialScale_ <= 0) throw poplibs_error("spatialScale must be greater than 0");
  if (images.dim(0) != rois.dim(0) || rois.elementType() != data.elementType()) {
    throw poplibs_error(
        "roiAlign: expected regions of the type of the images, and the image of "
        "each, got " +
        rois.shapeToString() + " of " + rois.elementType().toString() + " and " +
        images.shapeToString());
  }
}

// Rows of `out` over the tiles: calls add(vertex, first, last) for those of each tile.
template <class Add>
void addVertices(Graph& graph, const std::string& type, const Tensor& out, const Tensor& data,
                 const roiAlignParams& params, Sequence& prog, const DebugContext& dc,
                 const Add& add) {
  const ComputeSet cs = graph.addComputeSet(dc);
  const std::size_t rows = out.dim(0), tiles = graph.getTarget().getNumTiles();
  const std::size_t each = std::max<std::size_t>((rows + tiles - 1) / tiles, 1);
  for (std::size_t first = 0; first < rows; first += each) {
    const std::size_t last = std::min(first + each, rows);
    const unsigned tile = static_cast<unsigned>(first / each);
    graph.setTileMapping(out.slice(first, last, 0), tile);
    const VertexRef v = graph.addVertex(cs, templateVertex(type, data.elementType()));
    graph.setTileMapping(v, tile);
    graph.connect(v["out"], out.slice(first, last, 0));
    graph.setInitialValue(v["height"], static_cast<unsigned>(data.dim(2)));
    graph.setInitialValue(v["width"], static_cast<unsigned>(data.dim(3)));
    graph.setInitialValue(v["bins_high"], static_cast<unsigned>(params.alignedHeight_));
    graph.setInitialValue(v["bins_wide"], static_cast<unsigned>(params.alignedWidth_));
    graph.setInitialValue(v["samples"], static_cast<unsigned>(params.samplingRatio_));
    graph.setInitialValue(v["scale"], params.spatialScale_);
    graph.setInitialValue(v["aligned"], params.aligned_);
    add(v, first, last);
  }
  prog.add(Execute(cs, dc));
}

}  // namespace

Tensor roiAlignFwd(Graph& graph, Sequence& prog, Tensor& bottomData, Tensor& bottomRois,
                   Tensor& bottomBatchIndex, const roiAlignParams& params,
                   const DebugContext& debugContext) {
  check(bottomData, bottomRois, bottomBatchIndex, params);
  const std::size_t regions = bottomRois.dim(0), channels = bottomData.dim(1);
  const std::size_t bins = params.alignedHeight_ * params.alignedWidth_;
  const DebugContext dc(debugContext, "roiAlignFwd");
  const Tensor out = graph.addVariable(bottomData.elementType(), {regions * channels, bins}, dc);
  const Tensor planes = bottomData.dimShuffle({1, 0, 2, 3}).flatten(1, 4);
  const Tensor images = bottomBatchIndex.reinterpret(INT);
  addVertices(graph, "popnn::RoiAlign", out, bottomData, params, prog, dc,
              [&](const VertexRef& v, std::size_t first, std::size_t last) {
                std::vector<Tensor> data, rois, of;
                for (std::size_t i = first; i < last; ++i) {
                  data.push_back(planes[i % channels]);
                  rois.push_back(bottomRois[i / channels]);
                  of.push_back(images[i / channels].expand({0}));
                }
                graph.connect(v["data"], data);
                graph.connect(v["rois"], rois);
                graph.connect(v["images"], concat(of));
              });
  return out.reshape({regions, channels, params.alignedHeight_, params.alignedWidth_});
}

Tensor roiAlignInputGradient(Graph& graph, Sequence& prog, Tensor& bottomData, Tensor& bottomRois,
                             Tensor& bottomBatchIndex, Tensor& topDataGrad,
                             const roiAlignParams& params, const DebugContext& debugContext) {
  check(bottomData, bottomRois, bottomBatchIndex, params);
  const std::vector<std::size_t> shape = {bottomRois.dim(0), bottomData.dim(1),
                                          params.alignedHeight_, params.alignedWidth_};
  if (topDataGrad.rank() != 4) {
    throw poplibs_error("topDataGrad must be a 4-dimensional tensor");
  }
  if (topDataGrad.shape() != shape || topDataGrad.elementType() != bottomData.elementType()) {
    throw poplibs_error("roiAlignInputGradient: expected the gradient of all bins, got " +
                        topDataGrad.shapeToString());
  }
  const DebugContext dc(debugContext, "roiAlignInputGradient");
  const std::size_t channels = bottomData.dim(1);
  const Tensor out = graph.addVariable(bottomData.elementType(), bottomData.shape(), dc);
  const Tensor gradients = topDataGrad.dimShuffle({1, 0, 2, 3}).flatten(1, 4);
  addVertices(graph, "popnn::RoiAlignGradient", out.flatten(0, 2).flatten(1, 3), bottomData, params,
              prog, dc, [&](const VertexRef& v, std::size_t first, std::size_t last) {
                std::vector<Tensor> rows;
                std::vector<int> planes;
                for (std::size_t i = first; i < last; ++i) {
                  rows.push_back(gradients[i % channels]);
                  planes.push_back(static_cast<int>(i / channels));
                }
                graph.connect(v["gradients"], rows);
                graph.connect(v["rois"], bottomRois.flatten());
                graph.connect(v["images"], bottomBatchIndex.reinterpret(INT));
                graph.setInitialValue(v["planes"], planes);
              });
  return out;
}

}  // namespace experimental
}  // namespace popnn
