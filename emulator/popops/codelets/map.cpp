// An elementwise expression over any number of inputs of any types: the code is interpreted, many
// elements at a time.
#include <poplar/Vertex.hpp>

#include "map_ops.hpp"

namespace popops {
namespace {

using map_code::Do;
using map_code::Kind;
using map_ops::Lanes;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// Elements [begin, begin + n) of an input; an input of one element is the same for all.
template <typename Bits>
void load(Kind kind, Lanes& out, const Input<Vector<Bits>>& in, unsigned begin, unsigned n) {
  map_ops::forKind(kind, [&](auto stored, auto computed) {
    using Stored = decltype(stored);
    using T = decltype(computed);
    if constexpr (sizeof(Stored) == sizeof(Bits)) {
      const Stored* from = reinterpret_cast<const Stored*>(in.data());
      T* const to = map_ops::lanes<T>(out);
      if (in.size() == 1) {
        const T value = static_cast<T>(*from);
        for (unsigned i = 0; i < n; ++i) to[i] = value;
      } else {
        from += begin;
        for (unsigned i = 0; i < n; ++i) to[i] = static_cast<T>(from[i]);
      }
    }
  });
}

void constant(Kind kind, Lanes& out, unsigned low, unsigned high, unsigned n) {
  map_ops::forKind(kind, [&](auto, auto computed) {
    using T = decltype(computed);
    const unsigned long long bits = static_cast<unsigned long long>(high) << 32 | low;
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    for (unsigned i = 0; i < n; ++i) map_ops::lanes<T>(out)[i] = value;
  });
}

// Brings the results of an operation in a narrow kind back to that kind.
void narrow(Kind kind, Lanes& x, unsigned n) {
  map_ops::forKind(kind, [&](auto stored, auto computed) {
    using Stored = decltype(stored);
    using T = decltype(computed);
    if constexpr (sizeof(Stored) < sizeof(T) && !std::is_same<Stored, bool>::value) {
      T* const v = map_ops::lanes<T>(x);
      for (unsigned i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<Stored>(v[i]));
    }
  });
}

void cast(Kind from, Kind to, Lanes& out, Lanes& in, unsigned n) {
  map_ops::forKind(from, [&](auto, auto source) {
    using S = decltype(source);
    map_ops::forKind(to, [&](auto stored, auto computed) {
      using Stored = decltype(stored);
      using T = decltype(computed);
      map_ops::each(map_ops::lanes<T>(out), map_ops::lanes<S>(in), n,
                    [](S x) { return static_cast<T>(map_ops::convert<Stored>(x)); });
    });
  });
}

void store(Kind kind, void* out, Lanes& in, unsigned begin, unsigned n) {
  map_ops::forKind(kind, [&](auto stored, auto computed) {
    using Stored = decltype(stored);
    Stored* const to = static_cast<Stored*>(out) + begin;
    const auto* const from = map_ops::lanes<decltype(computed)>(in);
    for (unsigned i = 0; i < n; ++i) to[i] = static_cast<Stored>(from[i]);
  });
}

}  // namespace

// Bits is the unsigned type of the size of an element of the output.
template <typename Bits>
class Map : public poplar::MultiVertex {
 public:
  // By size of element; each (N,) or (1,).
  Vector<Input<Vector<unsigned char>>> in8;
  Vector<Input<Vector<unsigned short>>> in16;
  Vector<Input<Vector<unsigned int>>> in32;
  Vector<Input<Vector<unsigned long long>>> in64;
  Output<Vector<Bits>> out;  // (N,)
  Vector<unsigned> code;
  const unsigned kind;  // map_code::Kind of the output

  void compute(unsigned workerId) {
    // Workers take turns of whole registers, counted from the word that the output begins in.
    const unsigned lead = reinterpret_cast<unsigned long>(&out[0]) % 4 / sizeof(Bits);
    const unsigned stop = lead + out.size();
    for (unsigned at = workerId * map_ops::kLanes; at < stop;
         at += numWorkers() * map_ops::kLanes) {
      const unsigned begin = at < lead ? lead : at;
      const unsigned end = at + map_ops::kLanes < stop ? at + map_ops::kLanes : stop;
      evaluate(begin - lead, end - begin);
    }
  }

 private:
  void evaluate(unsigned begin, unsigned n) {
    Lanes storage[map_code::kMaxDepth + 1];
    Lanes* stack[map_code::kMaxDepth + 1];  // the one above the top takes a result
    for (unsigned i = 0; i <= map_code::kMaxDepth; ++i) stack[i] = &storage[i];
    unsigned top = 0;
    const auto drop = [&](unsigned operands) {  // the result replaces its operands
      Lanes* const result = stack[top];
      stack[top] = stack[top - operands];
      top -= operands;
      stack[top++] = result;
    };
    for (unsigned pc = 0; pc < code.size(); ++pc) {
      const unsigned word = code[pc];
      const unsigned detail = word >> 8 & 0xff, other = word >> 24;
      const Kind k = static_cast<Kind>(word >> 16 & 0xff);
      switch (static_cast<Do>(word & 0xff)) {
        case Do::LOAD:
          if (detail == 1) load(k, *stack[top], in8[other], begin, n);
          if (detail == 2) load(k, *stack[top], in16[other], begin, n);
          if (detail == 4) load(k, *stack[top], in32[other], begin, n);
          if (detail == 8) load(k, *stack[top], in64[other], begin, n);
          ++top;
          break;
        case Do::CONSTANT:
          constant(k, *stack[top++], code[pc + 1], code[pc + 2], n);
          pc += 2;
          break;
        case Do::UNARY:
          map_ops::forKind(k, [&](auto, auto computed) {
            map_ops::unary<decltype(computed)>(static_cast<expr::UnaryOpType>(detail), *stack[top],
                                               *stack[top - 1], n);
          });
          if (other == 0) narrow(k, *stack[top], n);
          drop(1);
          break;
        case Do::BINARY:
          map_ops::forKind(k, [&](auto, auto computed) {
            map_ops::binary<decltype(computed)>(static_cast<expr::BinaryOpType>(detail),
                                                *stack[top], *stack[top - 2], *stack[top - 1], n);
          });
          if (other == 0) narrow(k, *stack[top], n);
          drop(2);
          break;
        case Do::CLAMP:
          map_ops::forKind(k, [&](auto, auto computed) {
            using T = decltype(computed);
            const T* const x = map_ops::lanes<T>(*stack[top - 3]);
            const T* const low = map_ops::lanes<T>(*stack[top - 2]);
            const T* const high = map_ops::lanes<T>(*stack[top - 1]);
            T* const result = map_ops::lanes<T>(*stack[top]);
            for (unsigned i = 0; i < n; ++i) {
              const T raised = x[i] < low[i] ? low[i] : x[i];
              result[i] = raised > high[i] ? high[i] : raised;
            }
          });
          drop(3);
          break;
        case Do::SELECT:
          map_ops::forKind(k, [&](auto, auto computed) {
            using T = decltype(computed);
            const T* const a = map_ops::lanes<T>(*stack[top - 3]);
            const T* const b = map_ops::lanes<T>(*stack[top - 2]);
            const int* const condition = map_ops::lanes<int>(*stack[top - 1]);
            T* const result = map_ops::lanes<T>(*stack[top]);
            for (unsigned i = 0; i < n; ++i) result[i] = condition[i] ? a[i] : b[i];
          });
          drop(3);
          break;
        case Do::CAST:
          cast(static_cast<Kind>(other), k, *stack[top], *stack[top - 1], n);
          drop(1);
          break;
      }
    }
    store(static_cast<Kind>(kind), &out[0], *stack[0], begin, n);
  }
};

template class Map<unsigned char>;
template class Map<unsigned short>;
template class Map<unsigned int>;
template class Map<unsigned long long>;

}  // namespace popops
