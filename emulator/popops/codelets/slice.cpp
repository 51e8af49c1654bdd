#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// `base` is `entries` rows of equal length, as so many edges or as one that holds them in order.
// Entry `offset + i` follows `offset`; what is beyond the end begins again, or has no row.
template <typename Edges>
class Rows {
 public:
  Rows(const Edges& base, unsigned entries, bool wraps)
      : base_(base), entries_(entries), wraps_(wraps) {}

  auto find(unsigned offset, unsigned i) const -> decltype(&Edges()[0][0]) {
    if (offset >= entries_) {
      if (!wraps_) return nullptr;
      offset = 0;
    }
    const unsigned at = (offset + i) % entries_;
    if (base_.size() != 1) return &base_[at][0];
    return &base_[0][0] + static_cast<unsigned long>(at) * (base_[0].size() / entries_);
  }

 private:
  const Edges& base_;
  unsigned entries_;
  bool wraps_;
};

// Bits is the unsigned type of the size of an element.
template <typename Bits>
class Slice : public poplar::Vertex {
 public:
  Vector<Input<Vector<Bits>>> base;  // [entries] rows of length L, or one of entries * L
  Input<Vector<unsigned>> offsets;   // (N,)
  Vector<Output<Vector<Bits>>> out;  // [N * rows] of length L
  const unsigned entries;
  const bool wraps;

  void compute() {
    const Rows<decltype(base)> from(base, entries, wraps);
    const unsigned each = out.size() / offsets.size();
    for (unsigned i = 0; i < out.size(); ++i) {
      const Bits* const row = from.find(offsets[i / each], i % each);
      for (unsigned k = 0; k < out[i].size(); ++k) out[i][k] = row ? row[k] : Bits(0);
    }
  }
};

template <typename Bits>
class Update : public poplar::Vertex {
 public:
  Vector<InOut<Vector<Bits>>> base;  // as of Slice
  Input<Vector<unsigned>> offsets;   // (N,)
  Vector<Input<Vector<Bits>>> in;    // [N * rows] of length L
  const unsigned entries;
  const bool wraps;

  void compute() {
    const Rows<decltype(base)> to(base, entries, wraps);
    const unsigned each = in.size() / offsets.size();
    for (unsigned i = 0; i < in.size(); ++i) {
      Bits* const row = to.find(offsets[i / each], i % each);
      if (row == nullptr) continue;
      for (unsigned k = 0; k < in[i].size(); ++k) row[k] = in[i][k];
    }
  }
};

template class Slice<unsigned char>;
template class Slice<unsigned short>;
template class Slice<unsigned int>;
template class Slice<unsigned long long>;
template class Update<unsigned char>;
template class Update<unsigned short>;
template class Update<unsigned int>;
template class Update<unsigned long long>;

// Combines instead of writing; S is the type of the scale.
template <typename T, typename S>
class UpdateWith : public poplar::Vertex {
 public:
  Vector<InOut<Vector<T>>> base;    // as of Slice
  Input<Vector<unsigned>> offsets;  // (N,)
  Vector<Input<Vector<T>>> in;      // [N] of length L
  Input<S> scale;                   // of what is added
  const unsigned entries;
  const unsigned operation;  // 0 adds, 1 takes the maximum, 2 multiplies

  void compute() {
    const Rows<decltype(base)> to(base, entries, false);
    for (unsigned i = 0; i < in.size(); ++i) {
      T* const row = to.find(offsets[i], 0);
      if (row == nullptr) continue;
      for (unsigned k = 0; k < in[i].size(); ++k) {
        const T x = in[i][k];
        if (operation == 0) row[k] = row[k] + *scale * x;
        if (operation == 1 && row[k] < x) row[k] = x;
        if (operation == 2) row[k] = row[k] * x;
      }
    }
  }
};

template class UpdateWith<float, float>;
template class UpdateWith<half, half>;
template class UpdateWith<half, float>;
template class UpdateWith<int, int>;
template class UpdateWith<unsigned int, unsigned int>;

}  // namespace popops
