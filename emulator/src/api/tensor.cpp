#include <iostream>
#include <poplar/Tensor.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "api/access.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void invalidTensor(const char* operation) {
  throw poplar_error(text(operation, ": expected a tensor of a graph, got an empty Tensor()"));
}

[[noreturn]] void dimensionRange(const char* operation, size_t begin, size_t end, size_t rank) {
  throw index_error(text(operation, ": expected dimensions begin <= end <= ", rank, ", got [",
                         begin, ",", end, ")"));
}

[[noreturn]] void sliceOutOfRange(size_t begin, size_t end, size_t dimension, size_t size) {
  throw index_error(text("Tensor::slice: expected begin <= end <= ", size, " in dimension ",
                         dimension, ", got [", begin, ",", end, ")"));
}

[[noreturn]] void sliceBounds(size_t begins, size_t ends, size_t rank) {
  throw index_error(text("Tensor::slice: expected as many begins as ends and at most ", rank,
                         " of them, got ", begins, " and ", ends));
}

[[noreturn]] void reshapeCount(ArrayRef<size_t> from, ArrayRef<size_t> to) {
  throw poplar_error(text("Tensor::reshape: expected a shape with as many elements as ",
                          shapeText(from), ", got ", shapeText(to)));
}

[[noreturn]] void squeezeSize(size_t dimension, size_t size) {
  throw poplar_error(
      text("Tensor::squeeze: expected dimension ", dimension, " to have size 1, got ", size));
}

[[noreturn]] void notAPermutation(const char* operation, ArrayRef<unsigned> list, size_t rank) {
  throw index_error(
      text(operation, ": expected each of ", rank, " dimensions once, got ", listText(list)));
}

[[noreturn]] void shuffleLists(size_t source, size_t destination) {
  throw index_error(text("Tensor::dimShufflePartial: expected as many destinations as the ", source,
                         " sources, got ", destination));
}

[[noreturn]] void zeroStride() {
  throw poplar_error("Tensor::subSample: expected a stride above 0, got 0");
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::Dim;
using emulator::forEachRun;
using emulator::RangeList;
using emulator::View;

namespace errors = emulator::errors;

namespace {

Tensor make(View&& view) { return Access::tensor(std::make_shared<const View>(std::move(view))); }

void checkDimension(const char* operation, const View& view, size_t dimension) {
  if (dimension >= view.dims.size()) {
    errors::dimensionOutOfRange(operation, dimension, view.dims.size());
  }
}

// The same elements with other dims.
Tensor withShape(const View& view, ArrayRef<size_t> shape) {
  View out{view.type, view.graph, view.ranges, view.offset, {}};
  if (view.numElements() != 0 && emulator::reshapeDims(view.dims, shape, &out.dims)) {
    return make(std::move(out));
  }
  const View flat = emulator::materialise(view);
  return Access::tensor(emulator::makeDense(view.type, view.graph, flat.ranges, shape));
}

// Each element along `dimension` n times: `at` is the index of the repetitions among the dims.
Tensor repeat(const char* operation, const View& view, unsigned dimension, unsigned n,
              unsigned at) {
  View out = view;
  out.dims.insert(out.dims.begin() + at, Dim{n, 0});
  std::vector<size_t> shape;
  for (const Dim& d : view.dims) shape.push_back(d.size);
  shape[dimension] *= n;
  emulator::checkedElements(operation, shape);
  return make(std::move(out)).flatten(dimension, dimension + 2);
}

}  // namespace

namespace emulator {

const View& Access::view(const Tensor& t, const char* operation) {
  if (!t.view_) errors::invalidTensor(operation);
  return *t.view_;
}

}  // namespace emulator

Type Tensor::elementType() const { return Access::view(*this, "Tensor::elementType").type; }

size_t Tensor::dim(unsigned dimension) const {
  const View& v = Access::view(*this, "Tensor::dim");
  checkDimension("Tensor::dim", v, dimension);
  return v.dims[dimension].size;
}

std::vector<size_t> Tensor::shape() const {
  const View& v = Access::view(*this, "Tensor::shape");
  std::vector<size_t> out(v.dims.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = v.dims[i].size;
  return out;
}

unsigned Tensor::rank() const {
  return static_cast<unsigned>(Access::view(*this, "Tensor::rank").dims.size());
}

size_t Tensor::numElements() const {
  return Access::view(*this, "Tensor::numElements").numElements();
}

bool Tensor::isContiguous() const {
  size_t runs = 0;
  forEachRun(Access::view(*this, "Tensor::isContiguous"),
             [&](uint32_t, size_t, size_t) { ++runs; });
  return runs <= 1;
}

bool Tensor::containsAliases() const {
  return emulator::hasAliases(Access::view(*this, "Tensor::containsAliases"));
}

bool Tensor::containsConstant() const {
  return emulator::hasConstant(Access::view(*this, "Tensor::containsConstant"));
}

Tensor Tensor::operator[](size_t i) const {
  const View& v = Access::view(*this, "Tensor::operator[]");
  if (v.dims.empty()) errors::dimensionOutOfRange("Tensor::operator[]", 0, 0);
  if (i >= v.dims[0].size) errors::indexOutOfRange("Tensor::operator[]", i, 0, v.dims[0].size);
  View out{v.type, v.graph, v.ranges, v.offset + static_cast<ptrdiff_t>(i) * v.dims[0].stride, {}};
  out.dims.assign(v.dims.begin() + 1, v.dims.end());
  return make(std::move(out));
}

Tensor Tensor::slice(size_t begin, size_t end, unsigned dimension) const {
  const View& v = Access::view(*this, "Tensor::slice");
  checkDimension("Tensor::slice", v, dimension);
  if (begin > end || end > v.dims[dimension].size) {
    errors::sliceOutOfRange(begin, end, dimension, v.dims[dimension].size);
  }
  View out = v;
  out.offset += static_cast<ptrdiff_t>(begin) * out.dims[dimension].stride;
  out.dims[dimension].size = end - begin;
  return make(std::move(out));
}

Tensor Tensor::slice(ArrayRef<size_t> begin, ArrayRef<size_t> end) const {
  const View& v = Access::view(*this, "Tensor::slice");
  if (begin.size() != end.size() || begin.size() > v.dims.size()) {
    errors::sliceBounds(begin.size(), end.size(), v.dims.size());
  }
  Tensor out = *this;
  for (unsigned d = 0; d < begin.size(); ++d) out = out.slice(begin[d], end[d], d);
  return out;
}

Tensor Tensor::index(ArrayRef<size_t> indices) const {
  const View& v = Access::view(*this, "Tensor::index");
  if (indices.size() > v.dims.size()) {
    errors::dimensionOutOfRange("Tensor::index", indices.size() - 1, v.dims.size());
  }
  Tensor out = *this;
  for (size_t i : indices) out = out[i];
  return out;
}

std::vector<Tensor> Tensor::slices(ArrayRef<unsigned> indices, unsigned dimension) const {
  std::vector<Tensor> out;
  for (unsigned i : indices) out.push_back(slice(i, size_t{i} + 1, dimension));
  return out;
}

std::vector<Tensor> Tensor::slices(ArrayRef<Interval> intervals, unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(intervals.size());
  for (const Interval& i : intervals) out.push_back(slice(i, dimension));
  return out;
}

std::vector<Tensor> Tensor::slices(const std::vector<std::vector<Interval>>& intervals,
                                   unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(intervals.size());
  for (const auto& list : intervals) {
    const std::vector<Tensor> parts = slices(ArrayRef<Interval>(list), dimension);
    out.push_back(parts.empty() ? slice(0, 0, dimension) : concat(parts, dimension));
  }
  return out;
}

Tensor Tensor::flatten() const {
  const View& v = Access::view(*this, "Tensor::flatten");
  return withShape(v, {v.numElements()});
}

Tensor Tensor::flatten(unsigned dimBegin, unsigned dimEnd) const {
  const View& v = Access::view(*this, "Tensor::flatten");
  if (dimBegin > dimEnd || dimEnd > v.dims.size()) {
    errors::dimensionRange("Tensor::flatten", dimBegin, dimEnd, v.dims.size());
  }
  size_t n = 1;
  for (unsigned d = dimBegin; d < dimEnd; ++d) n *= v.dims[d].size;
  return reshapePartial(dimBegin, dimEnd, {n});
}

Tensor Tensor::reshape(ArrayRef<size_t> newShape) const {
  const View& v = Access::view(*this, "Tensor::reshape");
  if (emulator::checkedElements("Tensor::reshape", newShape) != v.numElements()) {
    errors::reshapeCount(shape(), newShape);
  }
  return withShape(v, newShape);
}

Tensor Tensor::reshapePartial(unsigned beginIndex, unsigned endIndex,
                              ArrayRef<size_t> newDims) const {
  std::vector<size_t> dims = shape();
  if (beginIndex > endIndex || endIndex > dims.size()) {
    errors::dimensionRange("Tensor::reshapePartial", beginIndex, endIndex, dims.size());
  }
  dims.erase(dims.begin() + beginIndex, dims.begin() + endIndex);
  dims.insert(dims.begin() + beginIndex, newDims.begin(), newDims.end());
  return reshape(dims);
}

Tensor Tensor::expand(ArrayRef<size_t> indices) const {
  const View& v = Access::view(*this, "Tensor::expand");
  std::vector<unsigned> before(v.dims.size() + 1, 0);
  for (size_t i : indices) {
    if (i > v.dims.size()) errors::dimensionOutOfRange("Tensor::expand", i, v.dims.size() + 1);
    ++before[i];
  }
  View out{v.type, v.graph, v.ranges, v.offset, {}};
  for (size_t d = 0; d <= v.dims.size(); ++d) {
    out.dims.insert(out.dims.end(), before[d], Dim{1, 0});
    if (d < v.dims.size()) out.dims.push_back(v.dims[d]);
  }
  return make(std::move(out));
}

Tensor Tensor::squeeze(ArrayRef<size_t> indices) const {
  const View& v = Access::view(*this, "Tensor::squeeze");
  std::vector<bool> drop(v.dims.size(), false);
  for (size_t i : indices) {
    checkDimension("Tensor::squeeze", v, i);
    if (v.dims[i].size != 1) errors::squeezeSize(i, v.dims[i].size);
    drop[i] = true;
  }
  View out{v.type, v.graph, v.ranges, v.offset, {}};
  for (size_t d = 0; d < v.dims.size(); ++d) {
    if (!drop[d]) out.dims.push_back(v.dims[d]);
  }
  return make(std::move(out));
}

Tensor Tensor::dimShuffle(ArrayRef<unsigned> permutation) const {
  const View& v = Access::view(*this, "Tensor::dimShuffle");
  std::vector<bool> seen(v.dims.size(), false);
  View out{v.type, v.graph, v.ranges, v.offset, {}};
  for (unsigned d : permutation) {
    checkDimension("Tensor::dimShuffle", v, d);
    seen[d] = true;
    out.dims.push_back(v.dims[d]);
  }
  if (permutation.size() != v.dims.size() || std::count(seen.begin(), seen.end(), false) != 0) {
    errors::notAPermutation("Tensor::dimShuffle", permutation, v.dims.size());
  }
  return make(std::move(out));
}

Tensor Tensor::dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const {
  const View& v = Access::view(*this, "Tensor::dimShufflePartial");
  if (source.size() != destination.size()) {
    errors::shuffleLists(source.size(), destination.size());
  }
  const unsigned n = static_cast<unsigned>(v.dims.size());
  std::vector<unsigned> order(n, n);  // [new dimension] = old dimension
  std::vector<bool> moved(n, false);
  for (size_t i = 0; i < source.size(); ++i) {
    checkDimension("Tensor::dimShufflePartial", v, source[i]);
    checkDimension("Tensor::dimShufflePartial", v, destination[i]);
    if (moved[source[i]] || order[destination[i]] != n) {
      errors::notAPermutation("Tensor::dimShufflePartial", source, n);
    }
    order[destination[i]] = source[i];
    moved[source[i]] = true;
  }
  unsigned next = 0;
  for (unsigned& o : order) {
    if (o != n) continue;
    while (moved[next]) ++next;
    o = next++;
  }
  return dimShuffle(order);
}

Tensor Tensor::dimRoll(unsigned dimIdx, unsigned newIdx) const {
  return dimShufflePartial({dimIdx}, {newIdx});
}

Tensor Tensor::transpose() const {
  const View& v = Access::view(*this, "Tensor::transpose");
  View out = v;
  std::reverse(out.dims.begin(), out.dims.end());
  return make(std::move(out));
}

Tensor Tensor::reverse(unsigned dimension) const {
  const View& v = Access::view(*this, "Tensor::reverse");
  checkDimension("Tensor::reverse", v, dimension);
  View out = v;
  Dim& d = out.dims[dimension];
  if (d.size != 0) out.offset += static_cast<ptrdiff_t>(d.size - 1) * d.stride;
  d.stride = -d.stride;
  return make(std::move(out));
}

Tensor Tensor::broadcast(unsigned N, unsigned dimension) const {
  const View& v = Access::view(*this, "Tensor::broadcast");
  checkDimension("Tensor::broadcast", v, dimension);
  return repeat("Tensor::broadcast", v, dimension, N, dimension);
}

Tensor Tensor::subSample(unsigned stride, unsigned dimension) const {
  const View& v = Access::view(*this, "Tensor::subSample");
  checkDimension("Tensor::subSample", v, dimension);
  if (stride == 0) errors::zeroStride();
  View out = v;
  Dim& d = out.dims[dimension];
  d.size = (d.size + stride - 1) / stride;
  // Nothing lies a stride away from a single element, and its stride would grow with every call.
  d.stride = d.size < 2 ? 0 : d.stride * static_cast<ptrdiff_t>(stride);
  return make(std::move(out));
}

Tensor Tensor::upsample(unsigned scale, unsigned dimension, UpsampleMethod) const {
  const View& v = Access::view(*this, "Tensor::upsample");
  checkDimension("Tensor::upsample", v, dimension);
  return repeat("Tensor::upsample", v, dimension, scale, dimension + 1);
}

std::vector<Interval> Tensor::getContiguousRegions() const {
  std::vector<Interval> out;
  size_t at = 0;
  forEachRun(Access::view(*this, "Tensor::getContiguousRegions"), [&](uint32_t, size_t, size_t n) {
    out.emplace_back(at, at + n);
    at += n;
  });
  return out;
}

std::vector<VariableInterval> Tensor::getVarRegions() const {
  std::vector<VariableInterval> out;
  forEachRun(Access::view(*this, "Tensor::getVarRegions"),
             [&](uint32_t var, size_t begin, size_t n) {
               out.push_back({{var & ~emulator::kConstantBit}, {begin, begin + n}});
             });
  return out;
}

std::string Tensor::shapeToString() const { return errors::shapeText(shape()); }

std::string Tensor::getDebugStr() const {
  std::ostringstream out;
  dump(out);
  return out.str();
}

void Tensor::dump(std::ostream& out) const {
  if (!valid()) {
    out << "Tensor()";
    return;
  }
  out << "Tensor(" << elementType().toString() << ' ' << shapeToString() << " = [";
  const char* separator = "";
  for (const VariableInterval& r : getVarRegions()) {
    out << separator << "v" << r.var.id << ":" << r.interval;
    separator = ", ";
  }
  out << "])";
}

void Tensor::dump() const {
  dump(std::cerr);
  std::cerr << '\n';
}

bool Tensor::operator==(const Tensor& other) const {
  if (view_ == other.view_) return true;
  if (!valid() || !other.valid() || view_->graph != other.view_->graph) return false;
  return elementType() == other.elementType() && shape() == other.shape() &&
         getVarRegions() == other.getVarRegions();
}

std::ostream& operator<<(std::ostream& out, const Tensor& t) {
  t.dump(out);
  return out;
}

}  // namespace poplar
