#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using poplar::VertexRef;
using poplar::program::Execute;
using poplar::program::Sequence;

template <typename FillValueType>
void fill(Graph& graph, const Tensor& t, Sequence& prog, FillValueType value,
          const DebugContext& debugContext) {
  const Tensor flat = t.flatten();
  const auto mapping = graph.getTileMapping(flat);
  const std::string type = poputil::templateVertex("popops::Fill", t.elementType());
  const ComputeSet cs = graph.addComputeSet({debugContext, "Fill"});
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const auto& region : graph.getSortedContiguousRegions(flat, mapping[tile])) {
      const VertexRef v = graph.addVertex(cs, type);
      graph.connect(v["out"], concat(flat.slices(poplar::ArrayRef<Interval>(region))));
      graph.setInitialValue(v["value"], value);
      graph.setTileMapping(v, tile);
    }
  }
  prog.add(Execute(cs));
}

template void fill(Graph&, const Tensor&, Sequence&, float, const DebugContext&);
template void fill(Graph&, const Tensor&, Sequence&, int, const DebugContext&);
template void fill(Graph&, const Tensor&, Sequence&, unsigned, const DebugContext&);
template void fill(Graph&, const Tensor&, Sequence&, bool, const DebugContext&);

void zero(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  fill(graph, t, prog, 0, debugContext);
}

}  // namespace popops
