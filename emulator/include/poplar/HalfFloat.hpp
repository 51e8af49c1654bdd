// half in codelets: IEEE binary16, a global type. Stored in 16 bits; arithmetic goes through float
// and rounds to nearest even. half with float gives float, half with double gives double, half with
// half or with an integer gives half. An edge of a vertex (Input<half>) stands for its element, as
// one of a built-in type does. The host has IeeeHalf alone.
#ifndef POPLAR_HALF_FLOAT_HPP
#define POPLAR_HALF_FLOAT_HPP

#ifdef __POPC__

#include <limits>
#include <type_traits>

#include "emulator/HalfBits.hpp"

class half;

namespace poplar {
namespace detail {

template <typename T>
class ScalarEdge;

template <typename T>
typename std::remove_cv<T>::type elementOf(const ScalarEdge<T>*);
void elementOf(const void*);

// What an operand of half's operators stands for; void where it is none.
template <typename T, bool isNumber = std::is_arithmetic<T>::value>
struct Operand {
  using type = decltype(elementOf(static_cast<const T*>(nullptr)));
};
template <typename T>
struct Operand<T, true> {
  using type = T;
};
template <>
struct Operand<half, false> {
  using type = half;
};

// The result of half with another type: the usual conversions.
template <typename T>
struct WithHalf {};
template <>
struct WithHalf<half> {
  using result = half;
  using wide = float;  // in which it is computed
};
template <>
struct WithHalf<float> {
  using result = float;
  using wide = float;
};
template <>
struct WithHalf<double> {
  using result = double;
  using wide = double;
};
template <>
struct WithHalf<long double> {
  using result = long double;
  using wide = long double;
};
template <bool isInteger>
struct IntegerWithHalf {};
template <>
struct IntegerWithHalf<true> : WithHalf<half> {};

template <typename A, typename B>
struct HalfOperands {};
template <typename T>
struct HalfOperands<half, T>
    : std::conditional<std::is_integral<T>::value, IntegerWithHalf<true>, WithHalf<T>>::type {};
template <typename T>
struct HalfOperands<T, half> : HalfOperands<half, T> {};
template <>
struct HalfOperands<half, half> : WithHalf<half> {};

template <typename A, typename B>
using HalfOperator = HalfOperands<typename Operand<A>::type, typename Operand<B>::type>;

template <typename T>
struct IsNumberEdge {
  static constexpr bool value = !std::is_arithmetic<T>::value && !std::is_same<T, half>::value &&
                                std::is_arithmetic<typename Operand<T>::type>::value;
};

}  // namespace detail
}  // namespace poplar

#ifdef POPLAR_HALF_CONSTANTS
#define POPLAR_HALF_CONSTEXPR constexpr
#define POPLAR_HALF_CONSTANT_OR(constant, function) \
  (__builtin_is_constant_evaluated() ? constant : function)
#else
#define POPLAR_HALF_CONSTEXPR
#define POPLAR_HALF_CONSTANT_OR(constant, function) function
#endif

class half {
 public:
  half() = default;
  template <typename T, typename std::enable_if<std::is_arithmetic<T>::value, int>::type = 0>
  POPLAR_HALF_CONSTEXPR half(T value)
      : bits_(POPLAR_HALF_CONSTANT_OR(poplar::detail::constantHalf(static_cast<float>(value)),
                                      poplar::detail::floatToHalf(static_cast<float>(value)))) {}
  template <typename T,
            typename std::enable_if<poplar::detail::IsNumberEdge<T>::value, int>::type = 0>
  half(const T& edge) : half(static_cast<typename poplar::detail::Operand<T>::type>(edge)) {}

  POPLAR_HALF_CONSTEXPR operator float() const {
    return POPLAR_HALF_CONSTANT_OR(poplar::detail::constantFloat(bits_),
                                   poplar::detail::halfToFloat(bits_));
  }

  static constexpr half fromBits(std::uint16_t bits) { return half(Bits(), bits); }
  constexpr std::uint16_t bits() const { return bits_; }

  template <typename T>
  half& operator+=(const T& other) {
    return *this = half(*this + other);
  }
  template <typename T>
  half& operator-=(const T& other) {
    return *this = half(*this - other);
  }
  template <typename T>
  half& operator*=(const T& other) {
    return *this = half(*this * other);
  }
  template <typename T>
  half& operator/=(const T& other) {
    return *this = half(*this / other);
  }
  half& operator++() { return *this += 1; }
  half& operator--() { return *this -= 1; }
  half operator++(int) {
    const half old = *this;
    ++*this;
    return old;
  }
  half operator--(int) {
    const half old = *this;
    --*this;
    return old;
  }

 private:
  struct Bits {};
  constexpr half(Bits, std::uint16_t bits) : bits_(bits) {}

  std::uint16_t bits_;
};

constexpr half operator+(half a) { return a; }
constexpr half operator-(half a) {
  return half::fromBits(static_cast<std::uint16_t>(a.bits() ^ 0x8000u));
}

// An edge is read as its element first: no value goes through two conversions.
#define POPLAR_HALF_OPERATOR(op, result)                                                 \
  template <typename A, typename B, typename To = poplar::detail::HalfOperator<A, B>,    \
            typename Wide = typename To::wide>                                           \
  POPLAR_HALF_CONSTEXPR result operator op(const A& a, const B& b) {                     \
    return static_cast<Wide>(static_cast<typename poplar::detail::Operand<A>::type>(a))  \
        op static_cast<Wide>(static_cast<typename poplar::detail::Operand<B>::type>(b)); \
  }

POPLAR_HALF_OPERATOR(+, typename To::result)
POPLAR_HALF_OPERATOR(-, typename To::result)
POPLAR_HALF_OPERATOR(*, typename To::result)
POPLAR_HALF_OPERATOR(/, typename To::result)
POPLAR_HALF_OPERATOR(==, bool)
POPLAR_HALF_OPERATOR(!=, bool)
POPLAR_HALF_OPERATOR(<, bool)
POPLAR_HALF_OPERATOR(<=, bool)
POPLAR_HALF_OPERATOR(>, bool)
POPLAR_HALF_OPERATOR(>=, bool)
#undef POPLAR_HALF_OPERATOR

namespace std {

template <>
class numeric_limits<half> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool is_iec559 = true;
  static constexpr int radix = 2;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_exponent = 16;
  static constexpr int min_exponent = -13;
  static constexpr half min() { return half::fromBits(0x0400); }
  static constexpr half max() { return half::fromBits(0x7bff); }
  static constexpr half lowest() { return half::fromBits(0xfbff); }
  static constexpr half epsilon() { return half::fromBits(0x1400); }
  static constexpr half infinity() { return half::fromBits(0x7c00); }
  static constexpr half quiet_NaN() { return half::fromBits(0x7e00); }
  static constexpr half denorm_min() { return half::fromBits(0x0001); }
};

}  // namespace std

#ifdef __IPU__
#include <ipudef.h>  // the device's compiler knows its vectors wherever it knows half
#endif

#endif  // __POPC__

#endif  // POPLAR_HALF_FLOAT_HPP
