#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;

template <typename FillValueType>
void fill(Graph& graph, Tensor t, const std::vector<Interval>& tileRegions, unsigned tile,
          ComputeSet fillCS, FillValueType value) {
  if (tileRegions.empty()) return;
  const Tensor flat = t.flatten();
  // Each run where it lies; but runs of a small type could meet in one word, so they are gathered.
  std::vector<Tensor> rows;
  if (graph.getTarget().getTypeSize(t.elementType()) < 4)
    rows.push_back(concat(flat.slices(tileRegions)));
  else
    for (const auto& run : graph.getSortedContiguousRegions(flat, tileRegions))
      rows.push_back(concat(flat.slices(run)));
  // A single vertex, as several could write to the same word.
  const VertexRef v =
      graph.addVertex(fillCS, poputil::templateVertex("popops::Fill", t.elementType()));
  graph.connect(v["rows"], rows);
  graph.setInitialValue(v["value"], value);
  graph.setTileMapping(v, tile);
}

template <typename FillValueType>
void fill(Graph& graph, const Tensor& t, unsigned tile, ComputeSet fillCS, FillValueType value) {
  fill(graph, t, {Interval(0, t.numElements())}, tile, fillCS, value);
}

template <typename FillValueType>
void fill(Graph& graph, const Tensor& t, const std::vector<std::vector<Interval>>& mapping,
          ComputeSet fillCS, FillValueType value) {
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    fill(graph, t, mapping[tile], tile, fillCS, value);
  }
}

template <typename FillValueType>
void fill(Graph& graph, const Tensor& t, Sequence& prog, FillValueType value,
          const DebugContext& debugContext) {
  const ComputeSet cs = graph.addComputeSet({debugContext, "Fill"});
  fill(graph, t, graph.getTileMapping(t), cs, value);
  prog.add(Execute(cs, debugContext));
}

#define POPOPS_FILL(T)                                                                             \
  template void fill(Graph&, Tensor, const std::vector<Interval>&, unsigned, ComputeSet, T);       \
  template void fill(Graph&, const Tensor&, unsigned, ComputeSet, T);                              \
  template void fill(Graph&, const Tensor&, const std::vector<std::vector<Interval>>&, ComputeSet, \
                     T);                                                                           \
  template void fill(Graph&, const Tensor&, Sequence&, T, const DebugContext&);

POPOPS_FILL(float)
POPOPS_FILL(double)
POPOPS_FILL(int)
POPOPS_FILL(unsigned)
POPOPS_FILL(bool)
POPOPS_FILL(unsigned char)
POPOPS_FILL(signed char)
POPOPS_FILL(char)
POPOPS_FILL(short)
POPOPS_FILL(unsigned short)
POPOPS_FILL(long)
POPOPS_FILL(unsigned long)
POPOPS_FILL(long long)
POPOPS_FILL(unsigned long long)

#undef POPOPS_FILL

void zero(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  fill(graph, t, prog, 0, debugContext);
}

void zero(Graph& graph, Tensor t, const std::vector<Interval>& tileRegions, unsigned tile,
          ComputeSet zeroCS) {
  fill(graph, t, tileRegions, tile, zeroCS, 0);
}

void zero(Graph& graph, const Tensor& t, unsigned tile, ComputeSet zeroCS) {
  fill(graph, t, tile, zeroCS, 0);
}

void zero(Graph& graph, const Tensor& t, const std::vector<std::vector<Interval>>& mapping,
          ComputeSet zeroCS) {
  fill(graph, t, mapping, zeroCS, 0);
}

}  // namespace popops
