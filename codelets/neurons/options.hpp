// Options of a layer's neurons, and the reset.
#pragma once

namespace popsnn {

enum class Reset : unsigned { Zero, Subtract, None };

enum class Surrogate : unsigned { SuperSpike, Sigmoid, ATan, Triangle, Rectangle };
constexpr Surrogate kSurrogates[] = {Surrogate::SuperSpike, Surrogate::Sigmoid, Surrogate::ATan,
                                     Surrogate::Triangle, Surrogate::Rectangle};

// Options of all neurons of a layer.
struct NeuronOptions {
  Reset reset;
  float attached;  // 1 where the gradient passes the spike inside of the reset, else 0
  float surrogate_parameter;
};

// Calls loop(options), on a host with the reset as a constant: GCC 12 does not vectorise a loop
// that branches on a value that is the same for all neurons. The IPU has one copy of the code.
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

// The membrane after the reset.
inline float after_reset(const NeuronOptions& options, float v, float threshold, bool spiked) {
  const float left = options.reset == Reset::Zero       ? 0.0f
                     : options.reset == Reset::Subtract ? v - threshold
                                                        : v;
  return spiked ? left : v;
}

// The decrease of a membrane by a spike: -d(after_reset)/d(spike).
inline float taken_by_spike(const NeuronOptions& options, float v, float threshold) {
  return options.reset == Reset::Zero ? v : options.reset == Reset::Subtract ? threshold : 0.0f;
}

}  // namespace popsnn
