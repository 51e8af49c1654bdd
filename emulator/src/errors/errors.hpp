// Errors that several files of the runtime throw: a function and a sentence each. An error of a
// single file is a function of that file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <poplar/ArrayRef.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <string>

namespace poplar {
namespace emulator {
namespace errors {

// The field of a vertex that an error is about.
struct FieldName {
  std::string operation, vertex, field;
  std::string text() const { return operation + ": field '" + vertex + "." + field + "'"; }
};

std::string shapeText(ArrayRef<size_t> shape);  // {2,3}

// Views: index_error, or poplar_error where no index is at fault.
[[noreturn]] void dimensionOutOfRange(const char* operation, size_t dimension, size_t rank);
[[noreturn]] void indexOutOfRange(const char* operation, size_t i, size_t dimension, size_t size);

// Graph construction.
[[noreturn]] void otherGraph(const char* operation);

// Vertices.
[[noreturn]] void unknownVertexType(const char* operation, StringRef name);
[[noreturn]] void unknownField(const std::string& vertex, StringRef field);

// Rules that are checked when an Engine is built.
[[noreturn]] void writesConstant(const FieldName& field);
[[noreturn]] void writesConstant(const char* operation);
[[noreturn]] void writesAliases(const FieldName& field);
[[noreturn]] void writesAliases(const char* operation);
[[noreturn]] void outOfMemory(size_t tile, size_t bytes, size_t limit);

// Engines, devices, options.
[[noreturn]] void unknownHandle(const char* operation, StringRef handle);
[[noreturn]] void bufferSize(const char* operation, StringRef handle, size_t expected, size_t got);
[[noreturn]] void unknownReplica(const char* operation, size_t replica);
[[noreturn]] void emptyExecutable(const char* operation);

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
