#include <popops/ElementWise.hpp>
#include <popops/NormaliseImage.hpp>
#include <popops/Zero.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

void check(const std::string& operation, const Type& type, ArrayRef<std::size_t> shape) {
  if (type != UNSIGNED_CHAR && type != HALF && type != FLOAT) {
    throw poplibs_error(operation + ": expected a type of unsigned char, half or float, got " +
                        type.toString());
  }
  if (shape.size() < 2 || shape.back() != 3) {
    throw poplibs_error(operation + ": expected at least two dimensions, the last one of 3, got " +
                        std::to_string(shape.size()) + " and " +
                        (shape.empty() ? "none" : std::to_string(shape.back())));
  }
}

}  // namespace

Tensor createNormaliseImageInput(Graph& graph, const Type& type, const ArrayRef<std::size_t> shape,
                                 const DebugContext& debugContext) {
  check("createNormaliseImageInput", type, shape);
  const Tensor t = graph.addVariable(type, shape, {debugContext, "createNormaliseImageInput"});
  const Target& target = graph.getTarget();
  const unsigned grain = 3 * (4 / target.getTypeSize(type));  // whole pixels and whole words
  poputil::mapTensorLinearly(graph, t, grain * target.getNumWorkerContexts(), grain);
  return t;
}

Tensor normaliseImage(Graph& graph, Sequence& seq, Tensor tIn, float inScale, Tensor offsets,
                      Tensor scales, const DebugContext& debugContext) {
  const Type type = tIn.elementType() == UNSIGNED_CHAR ? HALF : tIn.elementType();
  check("normaliseImage", tIn.elementType(), tIn.shape());
  const std::vector<std::size_t> three = {3};
  for (const Tensor& t : {offsets, scales}) {
    if (t.elementType() != type || t.shape() != three) {
      throw poplibs_error("normaliseImage: expected offsets and scales {3} of " + type.toString() +
                          ", got " + t.shapeToString() + " of " + t.elementType().toString());
    }
  }
  if (inScale == 0) throw poplibs_error("normaliseImage: expected an inScale other than 0, got 0");

  const DebugContext dc(debugContext, "normaliseImage");
  const auto mapping = graph.getTileMapping(tIn);
  Graph::TileToTensorMapping outMapping(mapping.size());
  for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) {
      if (r.begin() % 3 != 0 || r.size() % 3 != 0) {
        throw poplibs_error("normaliseImage: expected whole pixels on each tile, got elements [" +
                            std::to_string(r.begin()) + ", " + std::to_string(r.end()) + ") on " +
                            std::to_string(tile));
      }
      outMapping[tile].emplace_back(r.begin() / 3 * 4, r.end() / 3 * 4);
    }
  }
  std::vector<std::size_t> shape = tIn.shape();
  shape.back() = 4;
  const Tensor out = graph.addVariable(type, shape, dc);
  graph.setTileMapping(out, outMapping);

  namespace e = popops::expr;
  const e::Any scaled = e::Mul(e::Cast(e::_1, type), e::Const(inScale));
  const unsigned last = tIn.rank() - 1;
  mapWithOutput(graph, e::Mul(e::Sub(scaled, e::_2), e::_3), {tIn, offsets, scales},
                out.slice(0, 3, last), seq, dc);
  zero(graph, out.slice(3, 4, last), seq, dc);
  return out;
}

}  // namespace popops
