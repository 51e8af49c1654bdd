#include "errors/errors.hpp"

#include <poplar/exceptions.hpp>

#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

std::string shapeText(ArrayRef<size_t> shape) { return listText(shape); }

void dimensionOutOfRange(const char* operation, size_t dimension, size_t rank) {
  throw index_error(
      text(operation, ": expected a dimension below the rank ", rank, ", got ", dimension));
}

void indexOutOfRange(const char* operation, size_t i, size_t dimension, size_t size) {
  throw index_error(text(operation, ": expected an index below ", size, " in dimension ", dimension,
                         ", got ", i));
}

void otherGraph(const char* operation) {
  throw poplar_error(
      text(operation, ": expected what belongs to the same graph, got a part of another one"));
}

void unknownVertexType(const char* operation, StringRef name) {
  throw unknown_vertex_type(
      text(operation, ": expected a vertex type of the graph's codelets, ", "got '", name, "'"));
}

void unknownField(const std::string& vertex, StringRef field) {
  throw unknown_field(text("VertexRef: expected a field of '", vertex, "', got '", field, "'"));
}

void writesConstant(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a writeable tensor, got one with a constant"));
}

void writesConstant(const char* operation) {
  throw poplar_error(
      text(operation, ": expected a writeable destination, got one with a constant"));
}

void writesAliases(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a writeable tensor, got one with aliases"));
}

void writesAliases(const char* operation) {
  throw poplar_error(text(operation, ": expected a writeable destination, got one with aliases"));
}

void outOfMemory(size_t tile, size_t bytes, size_t limit) {
  throw graph_memory_allocation_error(
      text("Out of memory: Cannot fit all variable data onto one or more tiles, expected at most ",
           limit, " bytes on each, got ", bytes, " on tile ", tile));
}

void unknownHandle(const char* operation, StringRef handle) {
  throw stream_connection_error(
      text(operation, ": expected a handle of the graph, got '", handle, "'"));
}

void bufferSize(const char* operation, StringRef handle, size_t expected, size_t got) {
  throw tensor_io_state_error(
      text(operation, ": expected ", expected, " bytes for '", handle, "', got ", got));
}

void unknownReplica(const char* operation, size_t replica) {
  throw stream_connection_error(text(operation, ": expected replica 0, got ", replica));
}

void emptyExecutable(const char* operation) {
  throw poplar_error(
      text(operation,
           ": expected a compiled executable, got an empty one, or one that an Engine took over"));
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
