// Operations of a Map vertex on registers of kLanes elements.
#pragma once
#include <cmath>
#include <limits>
#include <poplar/HalfFloat.hpp>
#include <popops/ExprOp.hpp>
#include <type_traits>

#include "map_code.hpp"

namespace popops {
namespace map_ops {

using expr::BinaryOpType;
using expr::UnaryOpType;
using map_code::Kind;

constexpr unsigned kLanes = 128;

// Narrow kinds are computed in int, unsigned or float and rounded or wrapped after each operation.
union alignas(64) Lanes {
  int i[kLanes];
  unsigned u[kLanes];
  long long l[kLanes];
  unsigned long long ul[kLanes];
  float f[kLanes];
};

template <typename T>
auto& lanes(Lanes& x) {
  if constexpr (std::is_same<T, int>::value) {
    return x.i;
  } else if constexpr (std::is_same<T, unsigned>::value) {
    return x.u;
  } else if constexpr (std::is_same<T, long long>::value) {
    return x.l;
  } else if constexpr (std::is_same<T, unsigned long long>::value) {
    return x.ul;
  } else {
    return x.f;
  }
}

// Calls fn(stored, computed) with a zero of the type that is stored and of the one computed in.
template <typename Fn>
void forKind(Kind kind, const Fn& fn) {
  switch (kind) {
    case Kind::BOOL:
      return fn(false, 0);
    case Kind::SIGNED_CHAR:
      return fn(static_cast<signed char>(0), 0);
    case Kind::UNSIGNED_CHAR:
      return fn(static_cast<unsigned char>(0), 0u);
    case Kind::SHORT:
      return fn(static_cast<short>(0), 0);
    case Kind::UNSIGNED_SHORT:
      return fn(static_cast<unsigned short>(0), 0u);
    case Kind::INT:
      return fn(0, 0);
    case Kind::UNSIGNED_INT:
      return fn(0u, 0u);
    case Kind::LONGLONG:
      return fn(0ll, 0ll);
    case Kind::UNSIGNED_LONGLONG:
      return fn(0ull, 0ull);
    case Kind::HALF:
      return fn(half(0), 0.0f);
    case Kind::FLOAT:
      return fn(0.0f, 0.0f);
  }
}

template <typename To, typename From>
inline To convert(From x) {
  if constexpr (std::is_same<To, bool>::value) {
    return x != From(0);
  } else if constexpr (std::is_floating_point<From>::value && std::is_integral<To>::value) {
    // Out of range is undefined in C++; hardware saturates.
    if (!(x >= static_cast<From>(std::numeric_limits<To>::min()))) {
      return x != x ? To(0) : std::numeric_limits<To>::min();
    }
    if (x >= static_cast<From>(std::numeric_limits<To>::max())) {
      return std::numeric_limits<To>::max();
    }
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

// Registers never alias: the result is always one of its own.
template <typename R, typename T, typename Fn>
inline void each(R* __restrict out, const T* __restrict a, unsigned n, const Fn& fn) {
  for (unsigned i = 0; i < n; ++i) out[i] = fn(a[i]);
}
template <typename R, typename T, typename Fn>
inline void each(R* __restrict out, const T* __restrict a, const T* __restrict b, unsigned n,
                 const Fn& fn) {
  for (unsigned i = 0; i < n; ++i) out[i] = fn(a[i], b[i]);
}

// Integers wrap.
template <typename T>
inline auto wrapping(T x) {
  if constexpr (std::is_integral<T>::value) {
    return static_cast<typename std::make_unsigned<T>::type>(x);
  } else {
    return x;
  }
}

template <typename T>
void unary(UnaryOpType op, Lanes& out, Lanes& in, unsigned n) {
  T* const o = lanes<T>(out);
  const T* const a = lanes<T>(in);
  switch (op) {
    case UnaryOpType::ABSOLUTE:
      return each(o, a, n, [](T x) { return x < T(0) ? T(T(0) - wrapping(x)) : x; });
    case UnaryOpType::NEGATE:
      if constexpr (std::is_floating_point<T>::value) {
        return each(o, a, n, [](T x) { return -x; });
      } else {
        return each(o, a, n, [](T x) { return T(0 - wrapping(x)); });
      }
    case UnaryOpType::RELU:
      return each(o, a, n, [](T x) { return x > T(0) ? x : T(0); });
    case UnaryOpType::SIGNUM:
      return each(o, a, n, [](T x) { return T((x > T(0)) - (x < T(0))); });
    case UnaryOpType::SQUARE:
      return each(o, a, n, [](T x) { return T(wrapping(x) * wrapping(x)); });
    case UnaryOpType::LOGICAL_NOT:
      return each(lanes<int>(out), a, n, [](T x) { return static_cast<int>(x == T(0)); });
    default:
      break;
  }
  if constexpr (std::is_integral<T>::value) {
    switch (op) {
      case UnaryOpType::BITWISE_NOT:
        return each(o, a, n, [](T x) { return T(~x); });
      case UnaryOpType::POPCOUNT:
        return each(o, a, n, [](T x) { return T(__builtin_popcountll(wrapping(x))); });
      case UnaryOpType::COUNT_LEADING_ZEROS:
        return each(o, a, n, [](T x) {
          const int bits = 8 * sizeof(T);
          return T(x == 0 ? bits : __builtin_clzll(wrapping(x)) - (64 - bits));
        });
      default:
        return;
    }
  } else {
    switch (op) {
      case UnaryOpType::ASIN:
        return each(o, a, n, [](T x) { return std::asin(x); });
      case UnaryOpType::CBRT:
        return each(o, a, n, [](T x) { return std::cbrt(x); });
      case UnaryOpType::CEIL:
        return each(o, a, n, [](T x) { return std::ceil(x); });
      case UnaryOpType::COS:
        return each(o, a, n, [](T x) { return std::cos(x); });
      case UnaryOpType::ERF:
        return each(o, a, n, [](T x) { return std::erf(x); });
      case UnaryOpType::EXPONENT:
        return each(o, a, n, [](T x) { return std::exp(x); });
      case UnaryOpType::EXPONENT_MINUS_ONE:
        return each(o, a, n, [](T x) { return std::expm1(x); });
      case UnaryOpType::EXPONENT2:
        return each(o, a, n, [](T x) { return std::exp2(x); });
      case UnaryOpType::FLOOR:
        return each(o, a, n, [](T x) { return std::floor(x); });
      case UnaryOpType::GELU_ERF:
        return each(o, a, n,
                    [](T x) { return T(0.5) * x * (1 + std::erf(x * T(0.70710678118654752))); });
      case UnaryOpType::INVERSE:
        return each(o, a, n, [](T x) { return 1 / x; });
      case UnaryOpType::IS_FINITE:
        return each(lanes<int>(out), a, n, [](T x) { return static_cast<int>(std::isfinite(x)); });
      case UnaryOpType::IS_INF:
        return each(lanes<int>(out), a, n, [](T x) { return static_cast<int>(std::isinf(x)); });
      case UnaryOpType::IS_NAN:
        return each(lanes<int>(out), a, n, [](T x) { return static_cast<int>(x != x); });
      case UnaryOpType::LOGARITHM:
        return each(o, a, n, [](T x) { return std::log(x); });
      case UnaryOpType::LOGARITHM_ONE_PLUS:
        return each(o, a, n, [](T x) { return std::log1p(x); });
      case UnaryOpType::NEARBY_INT:
        return each(o, a, n, [](T x) { return std::nearbyint(x); });
      case UnaryOpType::SIN:
        return each(o, a, n, [](T x) { return std::sin(x); });
      case UnaryOpType::TAN:
        return each(o, a, n, [](T x) { return std::tan(x); });
      case UnaryOpType::TANH:
        return each(o, a, n, [](T x) { return std::tanh(x); });
      case UnaryOpType::ROUND:
        return each(o, a, n, [](T x) { return std::round(x); });
      case UnaryOpType::SQRT:
        return each(o, a, n, [](T x) { return std::sqrt(x); });
      case UnaryOpType::SIGMOID:
        return each(o, a, n, [](T x) { return 1 / (1 + std::exp(-x)); });
      case UnaryOpType::RSQRT:
        return each(o, a, n, [](T x) { return 1 / std::sqrt(x); });
      case UnaryOpType::TRUNC:
        return each(o, a, n, [](T x) { return std::trunc(x); });
      default:
        return;
    }
  }
}

template <typename T, typename Fn>
inline void compare(Lanes& out, const T* a, const T* b, unsigned n, const Fn& fn) {
  each(lanes<int>(out), a, b, n, [&](T x, T y) { return static_cast<int>(fn(x, y)); });
}

// Division by zero gives zero, and the most negative number over -1 wraps: nothing traps.
template <typename T>
inline T divide(T a, T b) {
  if (b == 0) return 0;
  if (std::is_signed<T>::value && b == T(-1)) return T(0 - wrapping(a));
  return a / b;
}
template <typename T>
inline T remainder(T a, T b) {
  if (b == 0 || (std::is_signed<T>::value && b == T(-1))) return 0;
  return a % b;
}

template <typename T>
void binary(BinaryOpType op, Lanes& out, Lanes& left, Lanes& right, unsigned n) {
  T* const o = lanes<T>(out);
  const T* const a = lanes<T>(left);
  const T* const b = lanes<T>(right);
  switch (op) {
    case BinaryOpType::ADD:
      return each(o, a, b, n, [](T x, T y) { return T(wrapping(x) + wrapping(y)); });
    case BinaryOpType::SUBTRACT:
      return each(o, a, b, n, [](T x, T y) { return T(wrapping(x) - wrapping(y)); });
    case BinaryOpType::MULTIPLY:
      return each(o, a, b, n, [](T x, T y) { return T(wrapping(x) * wrapping(y)); });
    case BinaryOpType::MAXIMUM:  // of a number and NaN: the number
      return each(o, a, b, n, [](T x, T y) { return x > y || y != y ? x : y; });
    case BinaryOpType::MINIMUM:
      return each(o, a, b, n, [](T x, T y) { return x < y || y != y ? x : y; });
    case BinaryOpType::EQUAL:
      return compare(out, a, b, n, [](T x, T y) { return x == y; });
    case BinaryOpType::NOT_EQUAL:
      return compare(out, a, b, n, [](T x, T y) { return x != y; });
    case BinaryOpType::GREATER_THAN:
      return compare(out, a, b, n, [](T x, T y) { return x > y; });
    case BinaryOpType::GREATER_THAN_EQUAL:
      return compare(out, a, b, n, [](T x, T y) { return x >= y; });
    case BinaryOpType::LESS_THAN:
      return compare(out, a, b, n, [](T x, T y) { return x < y; });
    case BinaryOpType::LESS_THAN_EQUAL:
      return compare(out, a, b, n, [](T x, T y) { return x <= y; });
    case BinaryOpType::LOGICAL_AND:
      return compare(out, a, b, n, [](T x, T y) { return (x != 0) & (y != 0); });
    case BinaryOpType::LOGICAL_OR:
      return compare(out, a, b, n, [](T x, T y) { return (x != 0) | (y != 0); });
    default:
      break;
  }
  if constexpr (std::is_integral<T>::value) {
    constexpr unsigned kBits = 8 * sizeof(T);
    switch (op) {
      case BinaryOpType::DIVIDE:
        return each(o, a, b, n, [](T x, T y) { return divide(x, y); });
      case BinaryOpType::REMAINDER:
        return each(o, a, b, n, [](T x, T y) { return remainder(x, y); });
      case BinaryOpType::BITWISE_AND:
        return each(o, a, b, n, [](T x, T y) { return T(x & y); });
      case BinaryOpType::BITWISE_OR:
        return each(o, a, b, n, [](T x, T y) { return T(x | y); });
      case BinaryOpType::BITWISE_XOR:
        return each(o, a, b, n, [](T x, T y) { return T(x ^ y); });
      case BinaryOpType::BITWISE_XNOR:
        return each(o, a, b, n, [](T x, T y) { return T(~(x ^ y)); });
      case BinaryOpType::SHIFT_LEFT:
        return each(o, a, b, n, [](T x, T y) {
          return wrapping(y) < kBits ? T(wrapping(x) << wrapping(y)) : T(0);
        });
      case BinaryOpType::SHIFT_RIGHT:
        return each(o, a, b, n, [](T x, T y) {
          return wrapping(y) < kBits ? T(wrapping(x) >> wrapping(y)) : T(0);
        });
      case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
        return each(o, a, b, n, [](T x, T y) {
          using Signed = typename std::make_signed<T>::type;
          const unsigned by = wrapping(y) < kBits ? static_cast<unsigned>(y) : kBits - 1;
          return T(static_cast<Signed>(x) >> by);
        });
      default:
        return;
    }
  } else {
    switch (op) {
      case BinaryOpType::DIVIDE:
        return each(o, a, b, n, [](T x, T y) { return x / y; });
      case BinaryOpType::REMAINDER:
        return each(o, a, b, n, [](T x, T y) { return std::fmod(x, y); });
      case BinaryOpType::POWER:
        return each(o, a, b, n, [](T x, T y) { return std::pow(x, y); });
      case BinaryOpType::ATAN2:
        return each(o, a, b, n, [](T x, T y) { return std::atan2(x, y); });
      case BinaryOpType::INV_STD_DEV_TO_VARIANCE:
        return each(o, a, b, n, [](T x, T y) { return 1 / (x * x) - y; });
      case BinaryOpType::VARIANCE_TO_INV_STD_DEV:
        return each(o, a, b, n, [](T x, T y) { return 1 / std::sqrt(x + y); });
      default:
        return;
    }
  }
}

}  // namespace map_ops
}  // namespace popops
