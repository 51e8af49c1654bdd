// What a Tensor is: an affine view (shape, strides, offset) of a list of pieces of variables.
// Slices and permutations share the list; only concat, and a reshape that strides cannot tell, make
// one.
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

struct Piece {
  size_t start;  // position in the list of the first element
  size_t begin;  // its place in the variable
  uint32_t var;
};

struct PieceList {
  std::vector<Piece> pieces;
  size_t size = 0;

  void append(uint32_t var, size_t begin, size_t n) {
    const bool continues = !pieces.empty() && pieces.back().var == var &&
                           pieces.back().begin + (size - pieces.back().start) == begin;
    if (n != 0 && !continues) pieces.push_back({size, begin, var});
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
  std::shared_ptr<const PieceList> pieces;
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
ViewPtr makeDense(Type type, uint64_t graph, std::shared_ptr<const PieceList> pieces,
                  ArrayRef<size_t> shape);

bool hasAliases(const View& view);
bool hasAliases(std::vector<Run>& runs);  // sorts them
bool hasConstant(const View& view);

// Calls fn(var, begin, n) for the elements in row-major order, in runs as long as they can be.
template <class Fn>
void forEachRun(const View& view, Fn&& fn) {
  std::vector<Dim> dims = collapse(view.dims);
  const std::vector<Piece>& pieces = view.pieces->pieces;
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
  size_t p = 0;             // the piece of the last position
  ptrdiff_t position = view.offset;
  for (;;) {
    size_t start = static_cast<size_t>(position);
    size_t left = row;
    while (left != 0) {
      if (start < pieces[p].start || (p + 1 < pieces.size() && start >= pieces[p + 1].start)) {
        if (p + 2 < pieces.size() && start >= pieces[p + 1].start && start < pieces[p + 2].start) {
          ++p;
        } else {
          const auto it =
              std::upper_bound(pieces.begin(), pieces.end(), start,
                               [](size_t s, const Piece& piece) { return s < piece.start; });
          p = static_cast<size_t>(it - pieces.begin()) - 1;
        }
      }
      const size_t piece_end = p + 1 < pieces.size() ? pieces[p + 1].start : view.pieces->size;
      const size_t take = std::min(left, piece_end - start);
      const size_t first = pieces[p].begin + (start - pieces[p].start);
      if (n != 0 && pieces[p].var == var && begin + n == first) {
        n += take;
      } else {
        if (n != 0) fn(var, begin, n);
        var = pieces[p].var;
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
