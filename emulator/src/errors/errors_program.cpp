// Errors of programs.
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

void copyType(Type from, Type to) {
  throw type_error(text("Copy: expected a destination of the source's type ", from, ", got ", to));
}

void copySize(size_t from, size_t to) {
  throw poplar_error(
      text("Copy: expected a destination of the source's ", from, " elements, got ", to));
}

void streamDirection(const std::string& handle, bool to_device) {
  throw poplar_error(text("Copy: expected a stream ", to_device ? "from" : "to", " the host, got '",
                          handle, "' of the other direction"));
}

void remoteSize(const std::string& handle, size_t rows, size_t row, size_t got) {
  throw poplar_error(text("Copy: expected a tensor of ", rows, " rows of ", row,
                          " elements for remote buffer '", handle, "', got ", got, " elements"));
}

void offsetType(const std::string& handle, Type type) {
  throw type_error(text("Copy: expected offsets of type int or unsigned int for remote buffer '",
                        handle, "', got ", type));
}

void hostArguments(const std::string& handle, const char* list, size_t expected, size_t got) {
  throw graph_connection_error(
      text("Call: expected ", expected, " ", list, " for host function '", handle, "', got ", got));
}

void hostArgument(const std::string& handle, const char* list, size_t i,
                  const std::string& expected, const std::string& got) {
  throw graph_connection_error(text("Call: expected ", expected, " as ", list, " ", i,
                                    " of host function '", handle, "', got ", got));
}

void predicate(const char* operation, const std::string& shape) {
  throw control_program_error(
      text(operation, ": expected a predicate of one element, got shape ", shape));
}

void predicateType(const char* operation, Type type) {
  throw control_program_error(
      text(operation, ": expected a predicate of an integral type, got ", type));
}

void switchType(Type type) {
  throw control_program_error(
      text("Switch: expected a control of type int or unsigned int, got ", type));
}

void duplicateCase(int32_t value) {
  throw control_program_error(text("Switch::add: expected a new case, got ", value, " again"));
}

void otherFunction() {
  throw control_program_error(
      "Copy: expected the function of the function buffer, got another one");
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
