#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void tooManyElements(const char* operation, ArrayRef<size_t> shape) {
  throw tensor_creation_error(
      text(operation, ": expected a shape of below 2^32 elements, got ", shapeText(shape)));
}

[[noreturn]] void productOverflows(const char* operation, size_t a, size_t b) {
  throw overflow_error(
      text(operation, ": expected sizes whose product is below 2^64, got ", a, " and ", b));
}

}  // namespace

}  // namespace errors

bool countElements(ArrayRef<size_t> shape, size_t* n) {
  size_t product = 1;
  bool empty = false;
  for (size_t d : shape) {
    empty |= d == 0;
    if (d >= kMaxElements) return false;
    if (d != 0) product *= d;
    if (product >= kMaxElements) return false;
  }
  *n = empty ? 0 : product;
  return true;
}

size_t checkedElements(const char* operation, ArrayRef<size_t> shape) {
  size_t n = 0;
  if (!countElements(shape, &n)) errors::tooManyElements(operation, shape);
  return n;
}

size_t checkedProduct(const char* operation, size_t a, size_t b) {
  size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) errors::productOverflows(operation, a, b);
  return product;
}

}  // namespace emulator
}  // namespace poplar
