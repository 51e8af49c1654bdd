// The data of a Tensor: an affine view (shape, strides, offset) of a list of ranges of variables.
// Slices and permutations use the same list; only concat, and a reshape that strides cannot
// express, make a new list.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <poplar/ArrayRef.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <vector>

namespace poplar {
namespace emulator {

// Set in the id of a variable that is a constant.
constexpr uint32_t kConstantBit = 0x80000000u;

// A run of elements of one variable.
struct Run {
  uint32_t var;
  uint32_t size;
  size_t begin;
};

struct VariableRange {
  size_t start;  // position in the list of the first element
  size_t begin;  // its offset in the variable
  uint32_t var;
};

struct RangeList {
  std::vector<VariableRange> ranges;
  size_t size = 0;

  void append(uint32_t var, size_t begin, size_t n) {
    const bool continues = !ranges.empty() && ranges.back().var == var &&
                           ranges.back().begin + (size - ranges.back().start) == begin;
    if (n != 0 && !continues) ranges.push_back({size, begin, var});
    size += n;
  }
};

struct Dim {
  size_t size;
  ptrdiff_t stride;  // in positions of the list
};

struct View {
  Type type;
  uint64_t graph;  // GraphData::id
  std::shared_ptr<const RangeList> ranges;
  ptrdiff_t offset;
  std::vector<Dim> dims;

  size_t numElements() const {
    size_t n = 1;
    for (const Dim& d : dims) n *= d.size;
    return n;
  }
};

using ViewPtr = std::shared_ptr<const View>;

// The dims without those of size 1, neighbours that strides join made one.
std::vector<Dim> collapse(const std::vector<Dim>& dims);

// Gives the dims of `shape` over the same elements; false where strides cannot tell it.
bool reshapeDims(const std::vector<Dim>& dims, ArrayRef<size_t> shape, std::vector<Dim>* out);

// A view of one list of its own, with dense strides, of the same elements.
View materialise(const View& view);
ViewPtr makeDense(Type type, uint64_t graph, std::shared_ptr<const RangeList> ranges,
                  ArrayRef<size_t> shape);

bool hasAliases(const View& view);
bool hasAliases(std::vector<Run>& runs);  // sorts them
bool hasConstant(const View& view);

// Calls fn(var, begin, n) for the elements in row-major order, in runs as long as they can be.
template <class Fn>
void forEachRun(const View& view, Fn&& fn) {
  std::vector<Dim> dims = collapse(view.dims);
  const std::vector<VariableRange>& ranges = view.ranges->ranges;
  if (view.numElements() == 0) return;
  size_t row = 1;
  if (!dims.empty() && dims.back().stride == 1) {
    row = dims.back().size;
    dims.pop_back();
  }
  const size_t last = dims.size();
  size_t index[16] = {};
  std::vector<size_t> heap_index;
  size_t* at = index;
  if (last > 16) {
    heap_index.resize(last);
    at = heap_index.data();
  }
  uint32_t var = 0;
  size_t begin = 0, n = 0;  // the pending run
  size_t p = 0;             // the range of the last position
  ptrdiff_t position = view.offset;
  for (;;) {
    size_t start = static_cast<size_t>(position);
    size_t left = row;
    while (left != 0) {
      if (start < ranges[p].start || (p + 1 < ranges.size() && start >= ranges[p + 1].start)) {
        if (p + 2 < ranges.size() && start >= ranges[p + 1].start && start < ranges[p + 2].start) {
          ++p;
        } else {
          const auto it = std::upper_bound(
              ranges.begin(), ranges.end(), start,
              [](size_t s, const VariableRange& range) { return s < range.start; });
          p = static_cast<size_t>(it - ranges.begin()) - 1;
        }
      }
      const size_t range_end = p + 1 < ranges.size() ? ranges[p + 1].start : view.ranges->size;
      const size_t take = std::min(left, range_end - start);
      const size_t first = ranges[p].begin + (start - ranges[p].start);
      if (n != 0 && ranges[p].var == var && begin + n == first) {
        n += take;
      } else {
        if (n != 0) fn(var, begin, n);
        var = ranges[p].var;
        begin = first;
        n = take;
      }
      start += take;
      left -= take;
    }
    size_t d = last;
    while (d != 0) {
      --d;
      position += dims[d].stride;
      if (++at[d] < dims[d].size) break;
      position -= dims[d].stride * static_cast<ptrdiff_t>(dims[d].size);
      at[d] = 0;
      if (d == 0) {
        fn(var, begin, n);
        return;
      }
    }
    if (last == 0) {
      fn(var, begin, n);
      return;
    }
  }
}

}  // namespace emulator
}  // namespace poplar
