#include <poplar/Tensor.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/types.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void reinterpretSize(Type from, Type to) {
  throw type_error(
      text("Tensor::reinterpret: expected a type of the size of ", from, ", got ", to));
}

[[noreturn]] void concatNothing() {
  throw poplar_error("concat: expected one tensor or more, got none");
}

[[noreturn]] void concatType(size_t i, Type type, Type expected) {
  throw type_error(
      text("concat: expected tensor ", i, " to be ", expected, " as the first is, got ", type));
}

[[noreturn]] void concatShape(size_t i, ArrayRef<size_t> shape, ArrayRef<size_t> expected,
                              size_t dimension) {
  throw poplar_error(text("concat: expected tensor ", i, " to have the shape ", shapeText(expected),
                          " but for dimension ", dimension, ", got ", shapeText(shape)));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::RangeList;
using emulator::Run;
using emulator::View;

namespace errors = emulator::errors;

namespace {

// Hands out the elements of a view a few at a time.
struct Source {
  std::vector<Run> runs;
  size_t run = 0, used = 0;
  size_t slab = 1;  // elements for each index of the dimensions before the concatenated one

  void appendSlab(RangeList* out) {
    for (size_t left = slab; left != 0;) {
      const Run& r = runs[run];
      const size_t take = std::min<size_t>(left, r.size - used);
      out->append(r.var, r.begin + used, take);
      left -= take;
      used += take;
      if (used == r.size) {
        ++run;
        used = 0;
      }
    }
  }
};

}  // namespace

Tensor concat(ArrayRef<Tensor> tensors, unsigned dimension) {
  if (tensors.empty()) errors::concatNothing();
  const View& first = Access::view(tensors[0], "concat");
  if (dimension >= first.dims.size()) {
    errors::dimensionOutOfRange("concat", dimension, first.dims.size());
  }
  std::vector<size_t> shape = tensors[0].shape();
  size_t outer = 1;
  for (unsigned d = 0; d < dimension; ++d) outer *= shape[d];
  std::vector<Source> sources(tensors.size());
  shape[dimension] = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const View& v = Access::view(tensors[i], "concat");
    std::vector<size_t> own = tensors[i].shape();
    if (v.graph != first.graph) errors::otherGraph("concat");
    if (v.type != first.type) errors::concatType(i, v.type, first.type);
    bool fits = own.size() == shape.size();
    for (size_t d = 0; fits && d < own.size(); ++d) fits = d == dimension || own[d] == shape[d];
    if (!fits) errors::concatShape(i, own, tensors[0].shape(), dimension);
    shape[dimension] += own[dimension];
    for (size_t d = dimension; d < own.size(); ++d) sources[i].slab *= own[d];
  }
  emulator::checkedElements("concat", shape);
  for (size_t i = 0; i < tensors.size(); ++i) {
    emulator::forEachRun(Access::view(tensors[i], "concat"),
                         [&](uint32_t var, size_t begin, size_t n) {
                           sources[i].runs.push_back({var, static_cast<uint32_t>(n), begin});
                         });
  }
  auto ranges = std::make_shared<RangeList>();
  for (size_t o = 0; o < outer; ++o) {
    for (Source& s : sources) s.appendSlab(ranges.get());
  }
  return Access::tensor(emulator::makeDense(first.type, first.graph, std::move(ranges), shape));
}

Tensor append(const Tensor& t, const Tensor& element, unsigned dimension) {
  if (dimension > Access::view(element, "append").dims.size()) {
    errors::dimensionOutOfRange("append", dimension, element.rank() + 1);
  }
  return concat(t, element.expand({dimension}), dimension);
}

Tensor Tensor::reinterpret(const Type& type) const {
  const View& v = Access::view(*this, "Tensor::reinterpret");
  if (emulator::sizeOf(type) != emulator::sizeOf(v.type)) errors::reinterpretSize(v.type, type);
  auto out = std::make_shared<View>(v);
  out->type = type;
  return Access::tensor(std::move(out));
}

}  // namespace poplar
