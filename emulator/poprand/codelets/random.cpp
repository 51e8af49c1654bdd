#include "random.hpp"

#include <cmath>
#include <poplar/Vertex.hpp>
#include <type_traits>

namespace poprand {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// Numbers for elements of a tensor: those of `firsts` and so many after each of them.
template <typename T>
class Random : public poplar::Vertex {
 public:
  Input<Vector<unsigned>> state;  // (kStateWords,)
  Output<Vector<T>> out;          // (N,)
  Vector<unsigned> firsts;        // (R,)
  Vector<unsigned> lengths;       // (R,), together N
  const unsigned distribution;
  // UNIFORM: the low end and the width. LOG_UNIFORM: the same of the logarithms. BERNOULLI: the
  // probability. Normal ones: mean, standard deviation and, of it, the farthest from the mean.
  const float a, b, c;
  const int low;  // of uniform ints: from `low` to low + span
  const unsigned span;

  void compute() {
    unsigned i = 0;
    for (unsigned r = 0; r < firsts.size(); ++r) {
      for (unsigned k = 0; k < lengths[r]; ++k) out[i++] = draw(firsts[r] + k);
    }
  }

 private:
  static constexpr bool kWhole = std::is_same<T, int>::value;

  Block block(unsigned element, unsigned attempt) const {
    return philox({{element, attempt, state[kModifier], state[kUses]}}, state[kKey0], state[kKey1]);
  }

  // In [0, 1).
  static double unit(unsigned high, unsigned low) {
    return (static_cast<double>(high) + static_cast<double>(low) * 0x1p-32) * 0x1p-32;
  }

  T draw(unsigned element) const {
    const Block words = block(element, 0);
    const double u = unit(words.words[0], words.words[1]);
    switch (static_cast<Distribution>(distribution)) {
      case Distribution::UNIFORM:
        if (kWhole) {
          const unsigned long long product = words.words[0] * (span + 1ull);
          return static_cast<T>(static_cast<unsigned>(low) + static_cast<unsigned>(product >> 32));
        }
        return below(a + u * b);
      case Distribution::LOG_UNIFORM:
        return kWhole ? static_cast<T>(std::floor(std::exp(a + u * b)))
                      : static_cast<T>(static_cast<float>(std::exp(a + u * b)));
      case Distribution::BERNOULLI:
        return static_cast<T>(u < a ? 1.0f : 0.0f);
      case Distribution::NORMAL:
        return static_cast<T>(static_cast<float>(a + b * gauss(words)));
      case Distribution::TRUNCATED_NORMAL:
        break;
    }
    for (unsigned attempt = 0;; ++attempt) {
      const double z = gauss(block(element, attempt));
      if (z >= -c && z <= c) return static_cast<T>(static_cast<float>(a + b * z));
    }
  }

  // Rounding must not give the open end of the interval.
  T below(double x) const {
    const float high = a + b;
    float rounded = static_cast<float>(static_cast<T>(static_cast<float>(x)));
    if (rounded >= high) rounded = a;
    return static_cast<T>(rounded);
  }

  // Box and Muller's.
  static double gauss(const Block& words) {
    const double radius = std::sqrt(-2 * std::log(1 - unit(words.words[0], words.words[1])));
    return radius * std::cos(6.283185307179586 * unit(words.words[2], words.words[3]));
  }
};

template class Random<float>;
template class Random<half>;
template class Random<int>;

// The generator of a graph after a use.
class Advance : public poplar::Vertex {
 public:
  InOut<Vector<unsigned>> state;  // (kStateWords,)
  void compute() { ++state[kUses]; }
};

class SetSeed : public poplar::Vertex {
 public:
  Input<Vector<unsigned>> seed;    // (2,)
  Output<Vector<unsigned>> state;  // (kStateWords,)
  const unsigned modifier;

  void compute() {
    state[kKey0] = seed[0];
    state[kKey1] = seed[1];
    state[kModifier] = modifier;
    state[kUses] = 0;
  }
};

}  // namespace poprand
