#include <functional>
#include <poplar/emulator/Sizes.hpp>
#include <popops/Pad.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using namespace poputil;
using padding::MappingMethod;
using Shape = std::vector<std::size_t>;
using Paddings = std::vector<std::ptrdiff_t>;

namespace {

// The padding before or after `t` along `dim`, n > 0 elements there.
using Around = std::function<Tensor(const Tensor& t, std::size_t n, unsigned dim, bool before)>;

Shape shapeAround(const Tensor& t, std::size_t n, unsigned dim) {
  Shape shape = t.shape();
  shape[dim] = n;
  return shape;
}

Tensor padAlong(Tensor t, std::ptrdiff_t lower, std::ptrdiff_t upper, unsigned dim,
                const Around& around) {
  const auto fail = [&] {
    throw poplibs_error("pad: expected a dimension of " + t.shapeToString() +
                        " with as many elements as are taken away, got " + std::to_string(lower) +
                        " and " + std::to_string(upper) + " along dimension " +
                        std::to_string(dim));
  };
  if (dim >= t.rank()) fail();
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(t.dim(dim));
  if (lower < -size || upper < -size) fail();
  for (const std::ptrdiff_t n : {lower, upper}) {
    if (n > 0) emulator::checkedElements("pad", shapeAround(t, static_cast<std::size_t>(n), dim));
  }
  const std::ptrdiff_t begin = lower < 0 ? -lower : 0, end = upper < 0 ? size + upper : size;
  if (begin > end) fail();
  t = t.slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), dim);
  std::vector<Tensor> parts = {t};
  if (lower > 0) {
    parts.insert(parts.begin(), around(t, static_cast<std::size_t>(lower), dim, true));
  }
  if (upper > 0) parts.push_back(around(t, static_cast<std::size_t>(upper), dim, false));
  return concat(parts, dim);
}

Tensor padAll(Tensor t, const Paddings& lower, const Paddings& upper, const Around& around) {
  if (lower.size() != t.rank() || upper.size() != t.rank()) {
    throw poplibs_error("pad: expected a padding for each dimension of " + t.shapeToString() +
                        ", got " + std::to_string(lower.size()) + " and " +
                        std::to_string(upper.size()));
  }
  for (unsigned d = 0; d < t.rank(); ++d) t = padAlong(t, lower[d], upper[d], d, around);
  return t;
}

Tensor broadcastTo(Tensor element, const Shape& shape) {
  element = element.reshape(Shape(shape.size(), 1));
  for (unsigned d = 0; d < shape.size(); ++d) {
    element = element.broadcast(static_cast<unsigned>(shape[d]), d);
  }
  return element;
}

// The nearest layer of `t`, n times.
Tensor edge(const Tensor& t, std::size_t n, unsigned dim, bool before) {
  const std::size_t size = t.dim(dim);
  if (size == 0) throw poplibs_error("pad: expected an edge to repeat, got none");
  const Tensor layer = before ? t.slice(0, 1, dim) : t.slice(size - 1, size, dim);
  return layer.broadcast(static_cast<unsigned>(n), dim);
}

Tensor reflection(const Tensor& t, std::size_t n, unsigned dim, bool before) {
  const std::size_t size = t.dim(dim);
  if (n >= size) {
    throw poplibs_error("pad: expected fewer elements to reflect than the " + std::to_string(size) +
                        " along dimension " + std::to_string(dim) + ", got " + std::to_string(n));
  }
  const Tensor part = before ? t.slice(1, n + 1, dim) : t.slice(size - 1 - n, size - 1, dim);
  return part.reverse(dim);
}

template <class T>
Around constant(Graph& graph, T value, MappingMethod method) {
  return [&graph, value, method](const Tensor& t, std::size_t n, unsigned dim, bool before) {
    const Tensor out = graph.addConstant(t.elementType(), shapeAround(t, n, dim), value, "padding");
    if (method == MappingMethod::ZERO) graph.setTileMapping(out, 0);
    if (method == MappingMethod::EDGE) {
      graph.setTileMapping(out, graph.getTileMapping(edge(t, n, dim, before)));
    }
    return out;
  };
}

Around element(const Tensor& value) {
  if (value.numElements() != 1) {
    throw poplibs_error("pad: expected a value of one element, got " + value.shapeToString());
  }
  return [value](const Tensor& t, std::size_t n, unsigned dim, bool) {
    return broadcastTo(value, shapeAround(t, n, dim));
  };
}

Around own(padding::Type type) { return type == padding::Type::EDGE ? edge : reflection; }

}  // namespace

Tensor pad(Graph& graph, const Tensor& t, const Paddings& paddingLower,
           const Paddings& paddingUpper, float val, MappingMethod mappingMethod) {
  return padAll(t, paddingLower, paddingUpper, constant(graph, val, mappingMethod));
}

Tensor pad(Graph& graph, const Tensor& t, const Paddings& paddingLower,
           const Paddings& paddingUpper, int val, MappingMethod mappingMethod) {
  return padAll(t, paddingLower, paddingUpper, constant(graph, val, mappingMethod));
}

Tensor pad(Graph&, const Tensor& t, const Paddings& paddingLower, const Paddings& paddingUpper,
           const Tensor& val, MappingMethod) {
  return padAll(t, paddingLower, paddingUpper, element(val));
}

Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, float val, MappingMethod mappingMethod) {
  return padAlong(t, paddingLower, paddingUpper, dim, constant(graph, val, mappingMethod));
}

Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, int val, MappingMethod mappingMethod) {
  return padAlong(t, paddingLower, paddingUpper, dim, constant(graph, val, mappingMethod));
}

Tensor pad(Graph&, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, const Tensor& val, MappingMethod) {
  return padAlong(t, paddingLower, paddingUpper, dim, element(val));
}

Tensor pad(const Tensor& t, const Paddings& paddingLower, const Paddings& paddingUpper,
           padding::Type type) {
  return padAll(t, paddingLower, paddingUpper, own(type));
}

Tensor pad(const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper, unsigned dim,
           padding::Type type) {
  return padAlong(t, paddingLower, paddingUpper, dim, own(type));
}

}  // namespace popops
