#include <cmath>
#include <limits>
#include <poplar/Vertex.hpp>
#include <popops/OperationDef.hpp>

namespace popops {
namespace {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct SquareAdd {
  template <typename T>
  T operator()(T a, T b) const {
    return a + b * b;
  }
};
struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct LogAdd {
  template <typename T>
  T operator()(T a, T b) const {
    const double low = a < b ? a : b, high = a < b ? b : a;
    if (low == -std::numeric_limits<double>::infinity()) return static_cast<T>(high);
    return static_cast<T>(high + std::log1p(std::exp(low - high)));
  }
};

template <typename T>
T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                              : std::numeric_limits<T>::lowest();
}
template <typename T>
T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                              : std::numeric_limits<T>::max();
}

// Calls fn(function, identity).
template <typename T, typename Fn>
void forOperation(Operation op, const Fn& fn) {
  switch (op) {
    case Operation::ADD:
      return fn(Add(), T(0));
    case Operation::SQUARE_ADD:
      return fn(SquareAdd(), T(0));
    case Operation::MUL:
      return fn(Mul(), T(1));
    case Operation::MIN:
    case Operation::LOGICAL_AND:
      return fn(Min(), highest<T>());
    case Operation::MAX:
    case Operation::LOGICAL_OR:
      return fn(Max(), lowest<T>());
    case Operation::LOG_ADD:
      return fn(LogAdd(), lowest<T>());
  }
}

}  // namespace

// First stage, on the tile where the data lies.
template <typename In, typename Partial>
class ReducePartial : public poplar::Vertex {
 public:
  Vector<Input<Vector<In>>> rows;  // each of any length
  Vector<unsigned> offsets;        // of each row in `out`
  Output<Vector<Partial>> out;     // (N,)
  const unsigned operation;
  // Whether a row reduces to the one element out[offset], or its elements to those from there on.
  const bool within;

  void compute() {
    forOperation<Partial>(static_cast<Operation>(operation), [&](auto fn, Partial identity) {
      for (Partial& x : out) x = identity;
      for (unsigned r = 0; r < rows.size(); ++r) {
        const In* const row = rows[r].data();
        const unsigned n = rows[r].size();
        Partial* const to = &out[offsets[r]];
        if (within) {
          Partial sum = *to;
          for (unsigned i = 0; i < n; ++i) sum = fn(sum, static_cast<Partial>(row[i]));
          *to = sum;
        } else {
          for (unsigned i = 0; i < n; ++i) to[i] = fn(to[i], static_cast<Partial>(row[i]));
        }
      }
    });
  }
};

template class ReducePartial<float, float>;
template class ReducePartial<half, float>;
template class ReducePartial<int, int>;
template class ReducePartial<unsigned int, unsigned int>;
template class ReducePartial<bool, bool>;

// Second stage, on the tile of the output: reduces rows together. The output comes in runs, each
// with rows of its own: a tile has one vertex, as two could write halves of one word.
template <typename Partial, typename Out>
class ReduceWhole : public poplar::Vertex {
 public:
  Vector<Input<Vector<Partial>>> rows;  // by runs, each as long as its run
  Vector<unsigned> lengths;             // (R,): of the runs, together N
  Vector<unsigned> counts;              // (R,): of their rows
  Input<float> scale;
  InOut<Vector<Out>> out;  // (N,)
  const unsigned operation;
  const bool scaled;
  const bool update;

  void compute() {
    // Of logarithms: the scale is one too.
    const bool log = static_cast<Operation>(operation) == Operation::LOG_ADD;
    forOperation<Partial>(static_cast<Operation>(operation), [&](auto fn, Partial identity) {
      Out* to = &out[0];
      for (unsigned run = 0, first = 0; run < lengths.size(); first += counts[run++]) {
        for (unsigned i = 0; i < lengths[run]; ++i, ++to) {
          Partial x = identity;
          for (unsigned r = first; r < first + counts[run]; ++r) x = fn(x, rows[r][i]);
          if (scaled) x = static_cast<Partial>(log ? x + *scale : x * *scale);
          const Partial before = static_cast<Partial>(*to);
          if (update) x = log ? LogAdd()(before, x) : static_cast<Partial>(before + x);
          *to = static_cast<Out>(x);
        }
      }
    });
  }
};

template class ReduceWhole<float, float>;
template class ReduceWhole<float, half>;
template class ReduceWhole<int, int>;
template class ReduceWhole<unsigned int, unsigned int>;
template class ReduceWhole<bool, bool>;

}  // namespace popops
