#include <poplar/exceptions.hpp>
#include <popops/SequenceSlice.hpp>
#include <popops/Zero.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>

#include "elementwise/map_program.hpp"
#include "slicing/slice_rows.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;

namespace {

void check(bool fits, const std::string& expected, const Tensor& got) {
  if (fits) return;
  throw graph_connection_error("sequenceSlice: " + expected + ", got " + got.shapeToString());
}

std::vector<Tensor> rows(const Tensor& t, const std::vector<Interval>& columns) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < t.dim(0); ++i) out.push_back(concat(t[i].slices(columns)));
  return out;
}

}  // namespace

void sequenceSlice(Graph& graph, const Tensor& tIn, const Tensor& tOut, const Tensor& tN,
                   const Tensor& tInOffset, const Tensor& tOutOffset, bool zeroUnused,
                   Sequence& prog, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "sequenceSlice");
  check(tN.rank() == 1, "tN: expected one dimension", tN);
  check(tInOffset.shape() == tN.shape(), "tInOffset: expected shape " + tN.shapeToString(),
        tInOffset);
  check(tOutOffset.shape() == tN.shape(), "tOutOffset: expected shape " + tN.shapeToString(),
        tOutOffset);
  check(tIn.rank() >= 2, "tIn: expected at least two dimensions", tIn);
  check(tOut.rank() >= 2, "tOut: expected at least two dimensions", tOut);
  check(tOut.isParallelWriteable(), "tOut: expected no aliases and no constants", tOut);
  check(tIn.elementType() == tOut.elementType(),
        "tOut: expected elements of type " + tIn.elementType().toString(), tOut);
  for (const Tensor& t : {tN, tInOffset, tOutOffset}) {
    checkOffsets(t, tN.numElements(), "sequenceSlice");
  }
  if (zeroUnused) zero(graph, tOut, prog, dc);
  if (tIn.dim(0) == 0 || tOut.dim(0) == 0) return;
  const Tensor in = asBits(tIn.flatten(1, tIn.rank()));
  const Tensor out = asBits(tOut.flatten(1, tOut.rank()));
  check(in.dim(1) == out.dim(1), "tOut: expected rows of " + std::to_string(in.dim(1)), tOut);

  const ComputeSet cs = graph.addComputeSet(dc);
  const auto mapping = graph.getTileMapping(out[0]);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    const VertexRef v =
        graph.addVertex(cs, poputil::templateVertex("popops::SequenceSlice", in.elementType()));
    const std::vector<Tensor> from = rows(in, mapping[tile]), to = rows(out, mapping[tile]);
    graph.connect(v["in"], ArrayRef<Tensor>(from));
    graph.connect(v["out"], ArrayRef<Tensor>(to));
    graph.connect(v["counts"], asOffsets(tN));
    graph.connect(v["inOffsets"], asOffsets(tInOffset));
    graph.connect(v["outOffsets"], asOffsets(tOutOffset));
    graph.setTileMapping(v, tile);
  }
  prog.add(Execute(cs, dc));
}

}  // namespace popops
