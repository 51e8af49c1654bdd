// The largest or smallest of a tensor's elements and its label. Programs add these vertices by
// name, so that names of vertices and fields are poplibs'.
#include <cstddef>
#include <poplar/Vertex.hpp>
#include <type_traits>

namespace popnn {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;
using poplar::VectorLayout;

namespace {

struct Larger {
  template <typename T>
  static bool before(T a, T b) {
    return a > b;
  }
};

struct Smaller {
  template <typename T>
  static bool before(T a, T b) {
    return a < b;
  }
};

// The index of the first element that comes before all others; at least one element. values:
// [end].
template <typename Order, typename Values>
std::size_t first(const Values& values, std::size_t begin, std::size_t end) {
  std::size_t best = begin;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (Order::before(values[i], values[best])) best = i;
  }
  return best;
}

// One output for each group of `workerSize` elements; a worker takes every sixth group. values:
// [size], best and at: [ceil(size / workerSize)].
template <typename Order, typename Values, typename Best, typename Index, typename Label>
void gather(const Values& values, Best& best, Index& at, Label index, unsigned size,
            unsigned workerSize, unsigned worker) {
  using Out = std::remove_reference_t<decltype(best[0])>;
  for (std::size_t group = worker; group * workerSize < size; group += MultiVertex::numWorkers()) {
    const std::size_t begin = group * workerSize;
    const std::size_t end = begin + workerSize < size ? begin + workerSize : size;
    const std::size_t i = first<Order>(values, begin, end);
    best[group] = static_cast<Out>(values[i]);
    at[group] = static_cast<Label>(i) + index;
  }
}

template <typename T>
using GatheredType = std::conditional_t<std::is_integral<T>::value, T, float>;

}  // namespace

template <typename T, typename Label>
class ReduceMaxClassSparse : public poplar::Vertex {
 public:
  Input<Vector<T>> activations;
  Input<Vector<Label, VectorLayout::ONE_PTR>> labels;
  Output<T> maxValue;
  Output<Label> maxIndex;

  void compute() {
    const std::size_t i = first<Larger>(activations, 0, activations.size());
    *maxValue = activations[i];
    *maxIndex = labels[i];
  }
};

template <typename T, typename Label>
class ReduceMinClassSparse : public poplar::Vertex {
 public:
  Input<Vector<T>> activations;
  Input<Vector<Label, VectorLayout::ONE_PTR>> labels;
  Output<T> minValue;
  Output<Label> minIndex;

  void compute() {
    const std::size_t i = first<Smaller>(activations, 0, activations.size());
    *minValue = activations[i];
    *minIndex = labels[i];
  }
};

template <typename T, typename Label>
class ReduceMaxClassGather : public MultiVertex {
 public:
  Input<Vector<T, VectorLayout::ONE_PTR>> activations;
  const Label index;
  Output<Vector<GatheredType<T>, VectorLayout::ONE_PTR>> maxValue;
  Output<Vector<Label, VectorLayout::ONE_PTR>> maxIndex;
  const unsigned size, workerSize;

  void compute(unsigned worker) {
    gather<Larger>(activations, maxValue, maxIndex, index, size, workerSize, worker);
  }
};

template <typename T, typename Label>
class ReduceMinClassGather : public MultiVertex {
 public:
  Input<Vector<T, VectorLayout::ONE_PTR>> activations;
  const Label index;
  Output<Vector<GatheredType<T>, VectorLayout::ONE_PTR>> minValue;
  Output<Vector<Label, VectorLayout::ONE_PTR>> minIndex;
  const unsigned size, workerSize;

  void compute(unsigned worker) {
    gather<Smaller>(activations, minValue, minIndex, index, size, workerSize, worker);
  }
};

template class ReduceMaxClassSparse<float, unsigned>;
template class ReduceMaxClassSparse<float, int>;
template class ReduceMaxClassSparse<unsigned, unsigned>;
template class ReduceMaxClassSparse<unsigned, int>;
template class ReduceMaxClassSparse<int, unsigned>;
template class ReduceMaxClassSparse<int, int>;
template class ReduceMinClassSparse<float, unsigned>;
template class ReduceMinClassSparse<float, int>;
template class ReduceMinClassSparse<unsigned, unsigned>;
template class ReduceMinClassSparse<unsigned, int>;
template class ReduceMinClassSparse<int, unsigned>;
template class ReduceMinClassSparse<int, int>;

template class ReduceMaxClassGather<float, unsigned>;
template class ReduceMaxClassGather<half, unsigned>;
template class ReduceMaxClassGather<int, unsigned>;
template class ReduceMaxClassGather<unsigned, unsigned>;
template class ReduceMaxClassGather<float, int>;
template class ReduceMaxClassGather<half, int>;
template class ReduceMaxClassGather<int, int>;
template class ReduceMaxClassGather<unsigned, int>;
template class ReduceMinClassGather<float, unsigned>;
template class ReduceMinClassGather<half, unsigned>;
template class ReduceMinClassGather<int, unsigned>;
template class ReduceMinClassGather<unsigned, unsigned>;
template class ReduceMinClassGather<float, int>;
template class ReduceMinClassGather<half, int>;
template class ReduceMinClassGather<int, int>;
template class ReduceMinClassGather<unsigned, int>;

}  // namespace popnn
