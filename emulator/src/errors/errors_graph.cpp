// Errors of what a graph is built from.
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

void otherGraph(const char* operation) {
  throw poplar_error(
      text(operation, ": expected what belongs to the same graph, got a part of another one"));
}

void seeds(ArrayRef<size_t> expected, Type type, ArrayRef<size_t> shape) {
  throw poplar_error(text("setHwSeeds: expected unsigned int ", shapeText(expected), ", got ", type,
                          " ", shapeText(shape)));
}

void replicas(size_t factor) {
  throw graph_replication_error(
      text("Graph: expected a replication factor of 1, which is all that the emulator has, got ",
           factor));
}

void variableTooLarge(const char* operation, const std::string& name, ArrayRef<size_t> shape) {
  throw tensor_creation_error(text(operation, ": expected variable '", name,
                                   "' to have below 2^32 elements, got ", shapeText(shape)));
}

void tooManyVariables() {
  throw tensor_creation_error("Graph::addVariable: expected below 2^31 variables, got one more");
}

void elementType(const char* operation, Type type) {
  throw type_error(text(operation, ": expected an element type, got ", type));
}

void noConversion(Type type) {
  throw type_error(text("Graph: expected values of a type with conversions, got ", type));
}

void valueCount(const char* operation, size_t expected, size_t got) {
  throw tensor_creation_error(text(operation, ": expected ", expected, " values, got ", got));
}

void cloneNothing() { throw poplar_error("Graph::cloneN: expected one clone or more, got 0"); }

void tileOutOfRange(const char* operation, size_t tile, size_t tiles) {
  throw invalid_tile_mapping(text(operation, ": expected a tile below ", tiles, ", got ", tile));
}

void virtualGraphTiles(size_t begin, size_t end, size_t tiles) {
  throw poplar_error(text("Graph::createVirtualGraph: expected one tile or more of ", tiles,
                          ", got [", begin, ",", end, ")"));
}

void incompleteMapping(const char* operation, const std::string& shape) {
  throw invalid_tile_mapping(text(operation, ": expected every element of the tensor ", shape,
                                  " to have a tile, got some without"));
}

void reorderSize(size_t expected, size_t got) {
  throw poplar_error(text("Graph::reorderToSimplify: expected tensors of ", expected,
                          " elements as the first has, got ", got));
}

void duplicateHandle(const char* operation, StringRef handle) {
  throw poplar_error(text(operation, ": expected a new handle, got '", handle, "' again"));
}

void codeletExtension(const std::string& path) {
  throw file_load_error(
      text("Graph::addCodelets: expected a .gp or a source file, got '", path, "'"));
}

void streamCodelets() {
  throw file_load_error("Graph::addCodelets: expected a stream of C or C++, got another type");
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
