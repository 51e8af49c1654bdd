#ifndef poplar_TypeTraits_hpp
#define poplar_TypeTraits_hpp

#include <poplar/IeeeHalf.hpp>
#include <poplar/Type.hpp>

namespace poplar {

/// Host types whose values may fill constants, initial values and scalar fields.
template <class T>
struct TypeTraits {
  static constexpr bool isSimple = false;
};

/// `equivalent_device_type<T>().value` is the Type whose host representation is T.
template <class T>
struct equivalent_device_type;

#define POPLAR_EQUIVALENT_TYPE(T, TYPE)                  \
  template <>                                            \
  struct TypeTraits<T> {                                 \
    static constexpr bool isSimple = true;               \
    static constexpr Type::Code code = Type::Code::TYPE; \
  };                                                     \
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

// A double is accepted as a value and converted to the type of its destination.
template <>
struct TypeTraits<double> {
  static constexpr bool isSimple = true;
  static constexpr Type::Code code = Type::Code::DOUBLE;
};

}  // namespace poplar

#endif  // poplar_TypeTraits_hpp
