// NeuronStep<Lif> as an IPU runs it, by pairs of neurons, with the loop over them in plain C++.
#include <cstdio>
#include <cstring>

#include "common/rows.hpp"
#include "neurons/lif.hpp"
#define __IPU__ 1
#include "neurons/pairs_ipu.hpp"

namespace popsnn {
namespace ipu {

inline bool gather(const float*, unsigned, const unsigned short*, unsigned, const float*, float*) {
  return false;  // the loop in C++ adds the rows
}

// Of neurons whose spikes zero the membrane; `parameters` are rows of `neurons`.
template <>
struct Pairs<Lif> {
  static constexpr bool kStep = true;
  static constexpr bool grads(Surrogate) { return false; }

  static ChunkBits step(Reset, const float* parameters, unsigned neurons, const float* before,
                        float* after, unsigned pairs, const float* gain) {
    unsigned fired = 0, near = 0;
    for (unsigned i = 0; i < 2 * pairs; ++i) {
      const float threshold = parameters[neurons + i];
      const float v = before[i] >= threshold ? 0.0f : before[i];
      after[i] = parameters[i] * v + gain[0] * after[i];
      fired |= unsigned(after[i] >= threshold) << i;
      near |= unsigned(!(after[i] < parameters[2 * neurons + i])) << i;
    }
    return {(fired & 0xFFFF) | near << 16, fired >> 16 | (near >> 16 << 16)};
  }
};

}  // namespace ipu
}  // namespace popsnn

#include "neurons/neuron_step.hpp"
#undef __IPU__

namespace popsnn {
template class NeuronStep<Lif, unsigned short, float>;
}
