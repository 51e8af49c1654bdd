// Errors of a compilation: the rules that it checks.
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

void unmapped(const std::string& user, const std::string& variable, size_t element) {
  throw invalid_tile_mapping(text(user, ": expected every element to have a tile, got element ",
                                  element, " of variable '", variable, "' without one"));
}

void vertexWithoutTile(const std::string& compute_set, const std::string& vertex) {
  throw invalid_tile_mapping(text("compute set '", compute_set, "': expected every vertex to ",
                                  "have a tile, got a '", vertex, "' without one"));
}

void unconnected(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected a connection, got none"));
}

void unconnectedRow(const FieldName& field, size_t row) {
  throw graph_connection_error(
      text(field.text(), " expected a connection for each element, got none for ", row));
}

void connectedTwice(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected one connection, got several"));
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

void shortSpan(const FieldName& field, size_t size, size_t limit) {
  throw graph_connection_error(
      text(field.text(), " expected at most ", limit, " elements for SHORT_SPAN, got ", size));
}

void race(const std::string& compute_set, const std::string& variable, size_t element,
          const std::string& writer, const std::string& how, const std::string& other) {
  throw graph_connection_error(text("compute set '", compute_set, "': expected an element that ",
                                    writer, " writes to be no other vertex's, got element ",
                                    element, " of variable '", variable, "' ", how, " by ", other));
}

void sharesWord(const std::string& compute_set, const std::string& variable, size_t element,
                size_t tile, const std::string& writer, const std::string& other) {
  throw graph_connection_error(
      text("compute set '", compute_set, "': expected the 32-bit words that a vertex of tile ",
           tile, " writes to be no other vertex's, got that of element ", element, " of variable '",
           variable, "' written in part by ", writer, " and in part by ", other));
}

void outOfMemory(size_t tile, size_t bytes, size_t limit) {
  throw graph_memory_allocation_error(
      text("Out of memory: Cannot fit all variable data onto one or more tiles, expected at most ",
           limit, " bytes on each, got ", bytes, " on tile ", tile));
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
