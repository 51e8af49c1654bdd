#include <cmath>
#include <poplar/Vertex.hpp>

namespace popnn {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

namespace {

constexpr float kZero = -65504;  // the logarithm of probability 0

// log(exp(a) + exp(b))
float logAdd(float a, float b) {
  const float low = a < b ? a : b, high = a < b ? b : a;
  return high + std::log1p(std::exp(low - high));
}

float logMul(float a, float b) { return a + b < kZero ? kZero : a + b; }

}  // namespace

// Of one sample: paths through blanks and labels in turn, forwards and then backwards.
template <typename In, typename Out>
class CtcLoss : public poplar::Vertex {
 public:
  Input<Vector<In>> log_probs;     // (T, C)
  Input<Vector<unsigned>> labels;  // (L,)
  Input<unsigned> steps;
  Input<unsigned> length;        // of the labels
  Output<Vector<float>> alphas;  // (T, 2 L + 1): to every place, with the step's symbol
  Output<Vector<float>> betas;   // (2, 2 L + 1): from every place, of this step and the next
  Output<Out> loss;
  Output<Vector<Out>> gradient;  // (T, C), or nothing
  const unsigned classes, blank;
  const bool softmax;  // its gradient is included
  const bool zero_infinity;

  void compute() {
    const unsigned width = 2 * labels.size() + 1, places = 2 * *length + 1;
    const unsigned valid =
        *steps * classes <= log_probs.size() ? *steps : log_probs.size() / classes;
    for (unsigned i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<Out>(0.0f);
    for (unsigned t = 0; t < valid; ++t) {
      for (unsigned p = 0; p < places; ++p) {
        float sum = t == 0 ? (p < 2 ? 0.0f : kZero) : kZero;
        if (t != 0) {
          const float* const before = &alphas[(t - 1) * width];
          sum = before[p];
          if (p > 0) sum = logAdd(sum, before[p - 1]);
          if (maySkip(p)) sum = logAdd(sum, before[p - 2]);
        }
        alphas[t * width + p] = logMul(sum, probability(t, p));
      }
    }
    float total =
        valid == 0 ? (places == 1 ? 0.0f : kZero) : alphas[(valid - 1) * width + places - 1];
    if (valid != 0 && places > 1) total = logAdd(total, alphas[(valid - 1) * width + places - 2]);
    const bool impossible = total < 0.99f * kZero;
    *loss = static_cast<Out>(impossible && zero_infinity ? 0.0f : -total);
    if (gradient.size() == 0 || (impossible && zero_infinity)) return;
    for (unsigned t = valid; t-- > 0;) backward(t, valid, width, places, total);
  }

 private:
  unsigned symbol(unsigned place) { return place % 2 == 0 ? blank : labels[place / 2]; }
  float probability(unsigned t, unsigned place) {
    return static_cast<float>(log_probs[t * classes + symbol(place)]);
  }
  // From a label to the next one, where they differ.
  bool maySkip(unsigned place) {
    return place % 2 == 1 && place > 1 && labels[place / 2] != labels[place / 2 - 1];
  }

  void backward(unsigned t, unsigned valid, unsigned width, unsigned places, float total) {
    float* const now = &betas[t % 2 * width];  // without the step's own symbol
    const float* const next = &betas[(t + 1) % 2 * width];
    Out* const slopes = &gradient[t * classes];
    if (softmax) {
      for (unsigned c = 0; c < classes; ++c) {
        slopes[c] = static_cast<Out>(std::exp(static_cast<float>(log_probs[t * classes + c])));
      }
    }
    for (unsigned p = 0; p < places; ++p) {
      float sum = p + 2 >= places ? 0.0f : kZero;
      if (t + 1 != valid) {
        sum = logMul(next[p], probability(t + 1, p));
        if (p + 1 < places) sum = logAdd(sum, logMul(next[p + 1], probability(t + 1, p + 1)));
        if (p + 2 < places && maySkip(p + 2)) {
          sum = logAdd(sum, logMul(next[p + 2], probability(t + 1, p + 2)));
        }
      }
      now[p] = sum;
      const float fraction = std::exp(alphas[t * width + p] + sum - total);
      Out& slope = slopes[symbol(p)];
      slope = static_cast<Out>(static_cast<float>(slope) - fraction);
    }
  }
};

template class CtcLoss<float, float>;
template class CtcLoss<half, half>;
template class CtcLoss<half, float>;
template class CtcLoss<float, half>;

}  // namespace popnn
