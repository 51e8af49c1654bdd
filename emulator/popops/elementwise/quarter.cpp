#include "elementwise/quarter.hpp"

#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;

namespace {

// As in poplibs: other integers have no vertex.
void checkTypes(const Type& from, const Type& to) {
  const Type& other = from == QUARTER ? to : from;
  for (const Type& t : {HALF, FLOAT, CHAR, UNSIGNED_CHAR, SIGNED_CHAR, QUARTER}) {
    if (other == t) return;
  }
  throw poputil::poplibs_error(
      "cast: expected float, half, a char type or quarter on the other side of quarter, got " +
      other.toString());
}

// Codelets see numbers of 8 bits as bytes.
Tensor bytes(const Tensor& t) {
  return (t.elementType() == QUARTER ? t.reinterpret(UNSIGNED_CHAR) : t).flatten();
}

}  // namespace

bool isQuarterCast(const Tensor& src, const Tensor& dst) {
  return src.elementType() == QUARTER || dst.elementType() == QUARTER;
}

void checkQuarterHasMetadata(const Type& dstType) {
  if (dstType != QUARTER) return;
  throw poputil::poplibs_error("cast: metadata: expected a tensor for a cast to quarter, got none");
}

void addQuarterCast(Graph& graph, const Tensor& src, const Tensor& dst, ComputeSet cs) {
  const Type from = src.elementType(), to = dst.elementType();
  checkTypes(from, to);
  const std::string type = from == QUARTER && to == QUARTER
                               ? "popops::CastQuarter"
                               : poputil::templateVertex(to == QUARTER ? "popops::CastToQuarter"
                                                                       : "popops::CastFromQuarter",
                                                         to == QUARTER ? from : to);
  const Tensor in = bytes(src), out = bytes(dst);
  const auto mapping = graph.getTileMapping(out);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    const VertexRef v = graph.addVertex(
        cs, type,
        {{"in", concat(in.slices(mapping[tile]))}, {"out", concat(out.slices(mapping[tile]))}});
    if (from == QUARTER) {
      graph.connect(v["inMetadata"], src.getMetadata().reinterpret(UNSIGNED_CHAR).reshape({}));
    }
    if (to == QUARTER) {
      graph.connect(v["outMetadata"], dst.getMetadata().reinterpret(UNSIGNED_CHAR).reshape({}));
    }
    graph.setTileMapping(v, tile);
  }
}

}  // namespace popops
