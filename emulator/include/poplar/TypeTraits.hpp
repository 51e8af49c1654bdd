#ifndef poplar_TypeTraits_hpp
#define poplar_TypeTraits_hpp

#include <cstddef>
#include <poplar/IeeeHalf.hpp>
#include <poplar/Type.hpp>
#include <type_traits>

namespace poplar {

namespace emulator {

// Host types whose values may fill constants, initial values and scalar fields.
template <class T>
struct HostType {
  static constexpr bool isSimple = false;
};

}  // namespace emulator

/// `equivalent_device_type<T>().value` is the Type whose host representation is T.
template <class T>
struct equivalent_device_type;

#define POPLAR_EQUIVALENT_TYPE(T, TYPE)                  \
  namespace emulator {                                   \
  template <>                                            \
  struct HostType<T> {                                   \
    static constexpr bool isSimple = true;               \
    static constexpr Type::Code code = Type::Code::TYPE; \
  };                                                     \
  }                                                      \
  template <>                                            \
  struct equivalent_device_type<T> {                     \
    Type value = Type(Type::Code::TYPE);                 \
  }

POPLAR_EQUIVALENT_TYPE(bool, BOOL);
POPLAR_EQUIVALENT_TYPE(char, CHAR);
POPLAR_EQUIVALENT_TYPE(unsigned char, UNSIGNED_CHAR);
POPLAR_EQUIVALENT_TYPE(signed char, SIGNED_CHAR);
POPLAR_EQUIVALENT_TYPE(short, SHORT);
POPLAR_EQUIVALENT_TYPE(unsigned short, UNSIGNED_SHORT);
POPLAR_EQUIVALENT_TYPE(int, INT);
POPLAR_EQUIVALENT_TYPE(unsigned int, UNSIGNED_INT);
POPLAR_EQUIVALENT_TYPE(long, LONG);
POPLAR_EQUIVALENT_TYPE(unsigned long, UNSIGNED_LONG);
POPLAR_EQUIVALENT_TYPE(long long, LONGLONG);
POPLAR_EQUIVALENT_TYPE(unsigned long long, UNSIGNED_LONGLONG);
POPLAR_EQUIVALENT_TYPE(IeeeHalf, HALF);
POPLAR_EQUIVALENT_TYPE(float, FLOAT);

#undef POPLAR_EQUIVALENT_TYPE

namespace emulator {

// A double is accepted as a value and converted to the type of its destination.
template <>
struct HostType<double> {
  static constexpr bool isSimple = true;
  static constexpr Type::Code code = Type::Code::DOUBLE;
};

}  // namespace emulator

/// What is known of a host type: its size, and which kind of number it is.
class TypeTraits {
 public:
  template <class T>
  static TypeTraits make() {
    TypeTraits traits;
    traits.size = sizeof(T);
    traits.align = alignof(T);
    traits.isSimple = isSimpleType<T>();
    traits.isIntegral = std::is_integral<T>::value;
    traits.isFloat = traits.isSimple && !traits.isIntegral;
    traits.isSigned = traits.isFloat || std::is_signed<T>::value;
    traits.code_ = emulator::HostType<T>::code;
    return traits;
  }
  /// Whether values of the type may fill constants, initial values and scalar fields.
  template <class T>
  static constexpr bool isSimpleType() {
    return emulator::HostType<T>::isSimple;
  }

  std::size_t size = 0, align = 0;
  bool isSimple = false, isIntegral = false, isFloat = false, isSigned = false;

 private:
  friend class Graph;
  Type::Code code_ = Type::Code::NONE;
};

}  // namespace poplar

#endif  // poplar_TypeTraits_hpp
