#include "slicing/slice_rows.hpp"

#include <algorithm>
#include <numeric>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using namespace poputil;
using Regions = std::vector<Interval>;

namespace {

// The columns `regions` of each row of `t` [rows, rest].
std::vector<Tensor> rows(const Tensor& t, const Regions& regions) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < t.dim(0); ++i) out.push_back(concat(t[i].slices(regions)));
  return out;
}

// The same as the field `base` takes them: a single vector where they are contiguous.
std::vector<Tensor> entries(const Tensor& t, const Regions& regions) {
  if (regions.size() == 1) {
    const Tensor part = t.slice(regions[0], 1).flatten();
    if (part.isContiguous()) return {part};
  }
  return rows(t, regions);
}

// The regions of each vertex of a tile: one, but all of them where two vertices could write to the
// same word.
std::vector<Regions> vertexRegions(const Target& target, const Regions& regions, Type type) {
  if (regions.empty()) return {};
  if (target.getTypeSize(type) < 4) return {regions};
  std::vector<Regions> out;
  for (const Interval& region : regions) out.push_back({region});
  return out;
}

}  // namespace

void addSliceVertices(Graph& graph, const SliceVertex& vertex, const Tensor& base, std::size_t dim,
                      const Tensor& slices, const Tensor& offsets, ComputeSet cs,
                      const std::function<void(const VertexRef&)>& finish) {
  if (slices.numElements() == 0) return;
  if (dim >= base.rank() || base.dim(static_cast<unsigned>(dim)) == 0) {
    throw poplibs_error(std::string(vertex.operation) +
                        ": expected a dimension of at least one element, got " +
                        std::to_string(dim) + " of " + base.shapeToString());
  }
  const Tensor rolled = base.dimRoll(static_cast<unsigned>(dim));
  const Tensor from = rolled.reshape({rolled.dim(0), rolled.numElements() / rolled.dim(0)});
  const auto mapping = graph.getTileMapping(from[0]);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Regions& owned :
         vertexRegions(graph.getTarget(), mapping[tile], base.elementType())) {
      const VertexRef v = graph.addVertex(cs, vertex.type);
      const std::vector<Tensor> here = entries(from, owned), part = rows(slices, owned);
      graph.connect(v["base"], ArrayRef<Tensor>(here));
      graph.connect(v["offsets"], offsets);
      graph.connect(v[vertex.field], ArrayRef<Tensor>(part));
      graph.setInitialValue(v["entries"], static_cast<unsigned>(from.dim(0)));
      finish(v);
      graph.setTileMapping(v, tile);
    }
  }
}

std::vector<std::size_t> sliceOrder(const std::vector<std::size_t>& shape,
                                    const std::vector<std::size_t>& dims,
                                    const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> order(dims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sizes[a] * shape[dims[b]] < sizes[b] * shape[dims[a]];
  });
  return order;
}

OffsetOptions::OffsetOptions(const OptionFlags& options) {
  for (const auto& option : options) {
    for (const auto& known : {std::make_pair("remapOutOfBoundIndices", &remap),
                              std::make_pair("paddingIndexUsed", &padding),
                              std::make_pair("validateIndices", &validate)}) {
      if (option.first == known.first) *known.second = poplibs::parse::asBool(option.second);
    }
  }
}

Tensor withOneMetadata(Tensor t) {
  if (!t.hasMetadata() || t.numElements() == 0) return t;
  t.associateMetadata(t.flatten()[0].getMetadata());
  return t;
}

void checkOffsets(const Tensor& offsets, std::size_t n, const char* operation) {
  const Type type = offsets.elementType();
  if ((type != UNSIGNED_INT && type != INT) || offsets.numElements() != n) {
    throw poplibs_error(std::string(operation) + ": expected " + std::to_string(n) +
                        " offsets of unsigned int, got " + offsets.shapeToString() + " of " +
                        type.toString());
  }
}

Tensor asOffsets(const Tensor& offsets) { return offsets.flatten().reinterpret(UNSIGNED_INT); }

}  // namespace popops
