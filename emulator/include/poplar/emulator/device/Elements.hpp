// Functions of floats and halves, element by element, for all of the device's types. What has half
// elements is computed in float and rounded once.
#ifndef POPLAR_EMULATOR_DEVICE_ELEMENTS_HPP
#define POPLAR_EMULATOR_DEVICE_ELEMENTS_HPP

#ifdef __POPC__

#include <ipudef.h>
#include <cmath>
#include <cstring>

namespace poplar {
namespace detail {

template <typename V>
struct Elements {
  static constexpr unsigned count = sizeof(V) / sizeof(float);
};
template <unsigned N>
struct Elements<HalfVector<N>> {
  static constexpr unsigned count = N;
};

// The integers that a comparison of V gives.
template <typename V>
struct Truth {
  typedef int type __attribute__((vector_size(sizeof(V))));
};
template <unsigned N>
struct Truth<HalfVector<N>> : HalfTruth<N> {};

template <typename T, typename V>
T asBits(V value) {
  static_assert(sizeof(T) == sizeof(V), "bits stay, and so does their number");
  T out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

inline float allBits(bool all) { return asBits<float>(all ? ~0u : 0u); }

}  // namespace detail
}  // namespace poplar

// The vectors with elements that functions of floats and halves take.
#define POPLAR_FOR_FLOAT_VECTORS(M, name, function) \
  M(name, function, float2)                         \
  M(name, function, float4)                         \
  M(name, function, half2)                          \
  M(name, function, half4)

#define POPLAR_UNARY_VECTOR(name, function, V)                                                 \
  inline V name(V a) {                                                                         \
    V out = a;                                                                                 \
    for (unsigned i = 0; i < poplar::detail::Elements<V>::count; ++i) out[i] = function(a[i]); \
    return out;                                                                                \
  }
#define POPLAR_BINARY_VECTOR(name, function, V)                         \
  inline V name(V a, V b) {                                             \
    V out = a;                                                          \
    for (unsigned i = 0; i < poplar::detail::Elements<V>::count; ++i) { \
      out[i] = function(a[i], b[i]);                                    \
    }                                                                   \
    return out;                                                         \
  }
#define POPLAR_TERNARY_VECTOR(name, function, V)                        \
  inline V name(V a, V b, V c) {                                        \
    V out = a;                                                          \
    for (unsigned i = 0; i < poplar::detail::Elements<V>::count; ++i) { \
      out[i] = function(a[i], b[i], c[i]);                              \
    }                                                                   \
    return out;                                                         \
  }

#endif  // __POPC__

#endif  // POPLAR_EMULATOR_DEVICE_ELEMENTS_HPP
