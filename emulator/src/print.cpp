// The text of PrintTensor.
#include <cstdio>
#include <cstring>
#include <poplar/HalfFloat.hpp>

#include "executor.hpp"
#include "types.hpp"

namespace poplar {
namespace emulator {

namespace {

template <class T>
T load(const char* p) {
  T out;
  std::memcpy(&out, p, sizeof(T));
  return out;
}

std::string floating(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.7f", value);
  return text;
}

std::string formatElement(Type type, const char* p) {
  switch (type.code()) {
    case Type::Code::FLOAT:
      return floating(load<float>(p));
    case Type::Code::HALF:
      return floating(static_cast<float>(load<::half>(p)));
    case Type::Code::UNSIGNED_LONG:
    case Type::Code::UNSIGNED_LONGLONG:
      return std::to_string(load<unsigned long long>(p));
    case Type::Code::QUARTER:
      return std::to_string(load<unsigned char>(p));
    default: {
      long long value = 0;
      convert(type, p, LONGLONG, &value, 1);
      return std::to_string(value);
    }
  }
}

// One dimension's brackets; `p` moves past what is printed.
std::string formatDimension(Type type, const std::vector<size_t>& shape, size_t dimension,
                            const char** p) {
  if (dimension == shape.size()) {
    const std::string out = formatElement(type, *p);
    *p += sizeOf(type);
    return out;
  }
  const bool inner = dimension + 1 == shape.size();
  const std::string indent = "\n" + std::string(dimension + 1, ' ');
  std::string out = "[";
  for (size_t i = 0; i < shape[dimension]; ++i) {
    if (!inner) out += indent;
    if (inner && i != 0) out += ' ';
    out += formatDimension(type, shape, dimension + 1, p);
  }
  if (!inner) out += "\n" + std::string(dimension, ' ');
  return out + "]";
}

}  // namespace

std::string formatTensor(Type type, const std::vector<size_t>& shape, const char* data) {
  return formatDimension(type, shape, 0, &data);
}

}  // namespace emulator
}  // namespace poplar
