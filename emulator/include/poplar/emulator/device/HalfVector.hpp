// Vectors of half: what compilers' own vectors are to other types, element by element. Compilers
// for hosts have no half to make vectors of.
#ifndef POPLAR_EMULATOR_DEVICE_HALF_VECTOR_HPP
#define POPLAR_EMULATOR_DEVICE_HALF_VECTOR_HPP

#ifdef __POPC__

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "../../HalfFloat.hpp"

namespace poplar {
namespace detail {

template <unsigned N>
struct HalfTruth {};  // the result of a comparison: all bits of an element, or none
template <>
struct HalfTruth<2> {
  typedef short type __attribute__((vector_size(4)));
};
template <>
struct HalfTruth<4> {
  typedef short type __attribute__((vector_size(8)));
};
template <>
struct HalfTruth<8> {
  typedef short type __attribute__((vector_size(16)));
};

template <unsigned N>
struct alignas(2 * N) HalfVector {
  half element[N];  // public: a list initializes the vector, and short lists leave zeros

  half& operator[](std::size_t i) { return element[i]; }
  constexpr const half& operator[](std::size_t i) const { return element[i]; }

  // A cast between vectors, or to a number of the same size, keeps the bits.
  template <typename T,
            typename std::enable_if<sizeof(T) == 2 * N && !std::is_same<T, HalfVector>::value &&
                                        !std::is_class<T>::value && !std::is_pointer<T>::value,
                                    int>::type = 0>
  explicit operator T() const {
    T out;
    std::memcpy(&out, element, sizeof out);
    return out;
  }

  HalfVector operator+() const { return *this; }
  HalfVector operator-() const {
    HalfVector out;
    for (unsigned i = 0; i < N; ++i) out.element[i] = -element[i];
    return out;
  }
};

// A scalar of an expression counts for each element; it becomes a half first.
template <typename T>
struct IsHalfScalar {
  static constexpr bool value = std::is_convertible<T, half>::value;
};

#define POPLAR_HALF_VECTOR_OPERATOR(op)                                              \
  template <unsigned N>                                                              \
  inline HalfVector<N> operator op(const HalfVector<N>& a, const HalfVector<N>& b) { \
    HalfVector<N> out;                                                               \
    for (unsigned i = 0; i < N; ++i) out.element[i] = a.element[i] op b.element[i];  \
    return out;                                                                      \
  }                                                                                  \
  template <unsigned N, typename T,                                                  \
            typename std::enable_if<IsHalfScalar<T>::value, int>::type = 0>          \
  inline HalfVector<N> operator op(const HalfVector<N>& a, const T& b) {             \
    const half scalar = b;                                                           \
    HalfVector<N> out;                                                               \
    for (unsigned i = 0; i < N; ++i) out.element[i] = a.element[i] op scalar;        \
    return out;                                                                      \
  }                                                                                  \
  template <unsigned N, typename T,                                                  \
            typename std::enable_if<IsHalfScalar<T>::value, int>::type = 0>          \
  inline HalfVector<N> operator op(const T& a, const HalfVector<N>& b) {             \
    const half scalar = a;                                                           \
    HalfVector<N> out;                                                               \
    for (unsigned i = 0; i < N; ++i) out.element[i] = scalar op b.element[i];        \
    return out;                                                                      \
  }                                                                                  \
  template <unsigned N, typename T>                                                  \
  inline HalfVector<N>& operator op## = (HalfVector<N> & a, const T& b) {            \
    return a = a op b;                                                               \
  }

POPLAR_HALF_VECTOR_OPERATOR(+)
POPLAR_HALF_VECTOR_OPERATOR(-)
POPLAR_HALF_VECTOR_OPERATOR(*)
POPLAR_HALF_VECTOR_OPERATOR(/)
#undef POPLAR_HALF_VECTOR_OPERATOR

#define POPLAR_HALF_VECTOR_COMPARISON(op)                                                          \
  template <unsigned N>                                                                            \
  inline typename HalfTruth<N>::type operator op(const HalfVector<N>& a, const HalfVector<N>& b) { \
    typename HalfTruth<N>::type out = {};                                                          \
    for (unsigned i = 0; i < N; ++i) {                                                             \
      out[i] = static_cast<short>(a.element[i] op b.element[i] ? -1 : 0);                          \
    }                                                                                              \
    return out;                                                                                    \
  }                                                                                                \
  template <unsigned N, typename T,                                                                \
            typename std::enable_if<IsHalfScalar<T>::value, int>::type = 0>                        \
  inline typename HalfTruth<N>::type operator op(const HalfVector<N>& a, const T& b) {             \
    HalfVector<N> all;                                                                             \
    for (unsigned i = 0; i < N; ++i) all.element[i] = half(b);                                     \
    return a op all;                                                                               \
  }

POPLAR_HALF_VECTOR_COMPARISON(==)
POPLAR_HALF_VECTOR_COMPARISON(!=)
POPLAR_HALF_VECTOR_COMPARISON(<)
POPLAR_HALF_VECTOR_COMPARISON(<=)
POPLAR_HALF_VECTOR_COMPARISON(>)
POPLAR_HALF_VECTOR_COMPARISON(>=)
#undef POPLAR_HALF_VECTOR_COMPARISON

}  // namespace detail
}  // namespace poplar

#endif  // __POPC__

#endif  // POPLAR_EMULATOR_DEVICE_HALF_VECTOR_HPP
