#include "api/types.hpp"

#include <cstring>
#include <limits>
#include <poplar/IeeeHalf.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/Version.hpp>
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void elementType(const char* operation, Type type) {
  throw type_error(text(operation, ": expected an element type, got ", type));
}

[[noreturn]] void notIntegral(const char* operation, Type type) {
  throw type_error(text(operation, ": expected an integral type, got ", type));
}

[[noreturn]] void noConversion(Type type) {
  throw type_error(text("Graph: expected values of a type with conversions, got ", type));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

namespace {

struct Row {
  const char* name;
  unsigned char size;
};

// In the order of Type::Code.
constexpr Row kTypes[] = {
    {"bool", sizeof(bool)},
    {"char", 1},
    {"unsigned char", 1},
    {"signed char", 1},
    {"short", sizeof(short)},
    {"unsigned short", sizeof(unsigned short)},
    {"int", sizeof(int)},
    {"unsigned int", sizeof(unsigned)},
    {"long", sizeof(long)},
    {"unsigned long", sizeof(unsigned long)},
    {"long long", sizeof(long long)},
    {"unsigned long long", sizeof(unsigned long long)},
    {"half", 2},
    {"float", 4},
    {"quarter", 1},
    {"quarter_metadata", 1},
    {"double", 8},
    {"none", 0},
};

// Calls fn(T()) for the host type of `type`.
template <class Fn>
void dispatch(Type type, Fn&& fn) {
  switch (type.code()) {
    case Type::Code::BOOL:
      return fn(bool());
    case Type::Code::CHAR:
      return fn(char());
    case Type::Code::UNSIGNED_CHAR:
    case Type::Code::QUARTER_METADATA:
      return fn(static_cast<unsigned char>(0));
    case Type::Code::SIGNED_CHAR:
      return fn(static_cast<signed char>(0));
    case Type::Code::SHORT:
      return fn(short());
    case Type::Code::UNSIGNED_SHORT:
      return fn(static_cast<unsigned short>(0));
    case Type::Code::INT:
      return fn(int());
    case Type::Code::UNSIGNED_INT:
      return fn(0u);
    case Type::Code::LONG:
      return fn(0l);
    case Type::Code::UNSIGNED_LONG:
      return fn(0ul);
    case Type::Code::LONGLONG:
      return fn(0ll);
    case Type::Code::UNSIGNED_LONGLONG:
      return fn(0ull);
    case Type::Code::HALF:
      return fn(IeeeHalf());
    case Type::Code::FLOAT:
      return fn(0.0f);
    case Type::Code::DOUBLE:
      return fn(0.0);
    case Type::Code::QUARTER:
    case Type::Code::NONE:
      emulator::errors::noConversion(type);
  }
}

// Through float: `half` converts to and from that type alone.
template <class T>
struct Arithmetic {
  using type = T;
};
template <>
struct Arithmetic<IeeeHalf> {
  using type = float;
};

}  // namespace

// Initialized at compile time: other libraries may use them before their own variables exist.
Type BOOL(Type::Code::BOOL);
Type CHAR(Type::Code::CHAR);
Type UNSIGNED_CHAR(Type::Code::UNSIGNED_CHAR);
Type SIGNED_CHAR(Type::Code::SIGNED_CHAR);
Type SHORT(Type::Code::SHORT);
Type UNSIGNED_SHORT(Type::Code::UNSIGNED_SHORT);
Type INT(Type::Code::INT);
Type UNSIGNED_INT(Type::Code::UNSIGNED_INT);
Type LONG(Type::Code::LONG);
Type UNSIGNED_LONG(Type::Code::UNSIGNED_LONG);
Type LONGLONG(Type::Code::LONGLONG);
Type UNSIGNED_LONGLONG(Type::Code::UNSIGNED_LONGLONG);
Type HALF(Type::Code::HALF);
Type FLOAT(Type::Code::FLOAT);
Type QUARTER(Type::Code::QUARTER);
Type QUARTER_METADATA(Type::Code::QUARTER_METADATA);

const char* versionString() { return "3.4.0"; }
const char* packageHash() { return "emulated"; }

std::string Type::toString() const { return kTypes[static_cast<size_t>(code_)].name; }

std::ostream& operator<<(std::ostream& out, const Type& type) { return out << type.toString(); }

namespace emulator {

size_t sizeOf(Type type) { return kTypes[static_cast<size_t>(type.code())].size; }

Type typeOfName(const char* name) {
  for (size_t i = 0; i < static_cast<size_t>(Type::Code::DOUBLE); ++i) {
    if (std::strcmp(kTypes[i].name, name) == 0) return Type(static_cast<Type::Code>(i));
  }
  return Type();
}

bool isIntegral(Type type) { return type.code() <= Type::Code::UNSIGNED_LONGLONG; }

Limits limitsOf(Type type, const char* operation) {
  if (!isIntegral(type)) errors::notIntegral(operation, type);
  Limits out{};
  dispatch(type, [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_integral_v<T>) {
      out = {static_cast<int64_t>(std::numeric_limits<T>::min()),
             static_cast<uint64_t>(std::numeric_limits<T>::max())};
    }
  });
  return out;
}

void convert(Type from, const void* source, Type to, void* destination, size_t n) {
  if (from == to) {
    if (n != 0) std::memcpy(destination, source, n * sizeOf(from));
    return;
  }
  dispatch(from, [&](auto f) {
    using From = decltype(f);
    dispatch(to, [&](auto t) {
      using To = decltype(t);
      using A = typename Arithmetic<From>::type;
      using B = typename Arithmetic<To>::type;
      const char* s = static_cast<const char*>(source);
      char* d = static_cast<char*>(destination);
      // Either may lie at any address: values of state follow each other without gaps.
      for (size_t i = 0; i < n; ++i, s += sizeof(From), d += sizeof(To)) {
        From value;
        std::memcpy(&value, s, sizeof(value));
        const To converted = static_cast<To>(static_cast<B>(static_cast<A>(value)));
        std::memcpy(d, &converted, sizeof(converted));
      }
    });
  });
}

void checkElementType(const char* operation, Type type) {
  if (type.code() == Type::Code::NONE || type.code() == Type::Code::DOUBLE) {
    errors::elementType(operation, type);
  }
}

}  // namespace emulator
}  // namespace poplar
