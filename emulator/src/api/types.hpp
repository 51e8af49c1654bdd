// Element types: sizes, names, conversion of host values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <poplar/Type.hpp>

namespace poplar {
namespace emulator {

// Bytes of an element on the host: codelets are host code, so `long` is the host's.
size_t sizeOf(Type type);

// Type::Code::NONE for a name that is none of Poplar's.
Type typeOfName(const char* name);

// Converts n values as a C++ cast does.
void convert(Type from, const void* source, Type to, void* destination, size_t n);

bool isIntegral(Type type);

// Of an integral type; throws type_error for another one.
struct Limits {
  int64_t min;
  uint64_t max;
};
Limits limitsOf(Type type, const char* operation);

// Throws where tensors of the type cannot be; `operation` names the asker.
void checkElementType(const char* operation, Type type);

}  // namespace emulator
}  // namespace poplar
