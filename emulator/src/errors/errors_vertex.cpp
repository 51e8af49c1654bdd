// Errors of vertices and their fields.
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

void duplicateVertexType(const std::string& name, const std::string& first,
                         const std::string& second) {
  throw graph_object_creation_error(text("Graph::addCodelets: expected a new vertex type, got '",
                                         name, "' of '", second, "', which '", first,
                                         "' defined before"));
}

void unknownVertexType(StringRef name) {
  throw unknown_vertex_type(text("Graph::addVertex: expected a vertex type of the graph's ",
                                 "codelets, got '", name, "'"));
}

void noVertex() {
  throw graph_connection_error("VertexRef: expected a vertex of a graph, got an empty VertexRef()");
}

void noEstimator(StringRef vertex) {
  throw poplar_error(
      text("Graph::registerPerfEstimator: expected a function for '", vertex, "', got none"));
}

void unknownField(const std::string& vertex, StringRef field) {
  throw unknown_field(text("VertexRef: expected a field of '", vertex, "', got '", field, "'"));
}

void unknownFieldType(const std::string& vertex, const std::string& field,
                      const std::string& type) {
  throw graph_object_load_error(text("Graph::addCodelets: expected field '", vertex, ".", field,
                                     "' to have a Poplar type, got '", type, "'"));
}

void fieldIndex(const std::string& vertex, const std::string& field) {
  throw graph_connection_error(
      text("FieldRef: expected a field with elements of its own, got '", vertex, ".", field, "'"));
}

void fieldElement(const std::string& vertex, const std::string& field, size_t i) {
  throw graph_connection_error(
      text("FieldRef: expected an element below 2^32 - 1 of '", vertex, ".", field, "', got ", i));
}

void edgeType(const FieldName& field, Type expected, Type got) {
  throw type_error(text(field.text(), " expected a tensor of type ", expected, ", got ", got));
}

void edgeSize(const FieldName& field, size_t size) {
  throw graph_connection_error(text(field.text(), " expected one element, got ", size));
}

void fieldSize(const FieldName& field, size_t size) {
  throw graph_connection_error(text(field.text(), " expected below 2^32 elements, got ", size));
}

void edgeRank(const FieldName& field, size_t expected, size_t got) {
  throw graph_connection_error(
      text(field.text(), " expected a tensor of rank ", expected, ", got rank ", got));
}

void connectsState(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected an initial value as it is state, got a tensor"));
}

void connectsRows(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected one tensor, got a list of them"));
}

void initialisesEdge(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a connection as it is an edge, got an initial value"));
}

void noState(const FieldName& field, const char* kind) {
  throw poplar_error(text(field.text(), ": expected a ", kind, " of state"));
}

void stateSize(const FieldName& field, size_t element, size_t size) {
  throw graph_connection_error(text(field.text(), " expected values below its size ", size,
                                    ", got one for element ", element));
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
