// The choices that a layer makes for its neurons, and what its reset does.
#pragma once

namespace popsnn {

enum class Reset : unsigned { Zero, Subtract, None };

enum class Surrogate : unsigned { SuperSpike, Sigmoid, ATan, Triangle, Rectangle };

// What the neurons of a layer share.
struct NeuronOptions {
  Reset reset;
  float attached;  // 1 where the gradient passes the spike inside of the reset, else 0
  float surrogate_parameter;
};

// Calls loop(options) for a host with the reset as a constant: GCC 12 does not vectorise a loop
// that chooses by what is the same for all of its neurons. The IPU keeps one copy of the code.
template <class Loop>
inline void with_reset(const NeuronOptions& options, Loop loop) {
#ifdef __IPU__
  loop([=] { return options; });
#else
  const float attached = options.attached, parameter = options.surrogate_parameter;
  switch (options.reset) {
    case Reset::Zero:
      return loop([=] { return NeuronOptions{Reset::Zero, attached, parameter}; });
    case Reset::Subtract:
      return loop([=] { return NeuronOptions{Reset::Subtract, attached, parameter}; });
    case Reset::None:
      return loop([=] { return NeuronOptions{Reset::None, attached, parameter}; });
  }
#endif
}

// What the reset leaves of a membrane.
inline float after_reset(const NeuronOptions& options, float v, float threshold, bool spiked) {
  const float left = options.reset == Reset::Zero       ? 0.0f
                     : options.reset == Reset::Subtract ? v - threshold
                                                        : v;
  return spiked ? left : v;
}

// What a spike takes from a membrane: -d(after_reset)/d(spike).
inline float taken_by_spike(const NeuronOptions& options, float v, float threshold) {
  return options.reset == Reset::Zero ? v : options.reset == Reset::Subtract ? threshold : 0.0f;
}

}  // namespace popsnn
