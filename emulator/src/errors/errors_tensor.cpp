// Errors of tensors.
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

std::string shapeText(ArrayRef<size_t> shape) { return listText(shape); }

void invalidTensor(const char* operation) {
  throw poplar_error(text(operation, ": expected a tensor of a graph, got an empty Tensor()"));
}

void dimensionOutOfRange(const char* operation, size_t dimension, size_t rank) {
  throw index_error(
      text(operation, ": expected a dimension below the rank ", rank, ", got ", dimension));
}

void dimensionRange(const char* operation, size_t begin, size_t end, size_t rank) {
  throw index_error(text(operation, ": expected dimensions begin <= end <= ", rank, ", got [",
                         begin, ",", end, ")"));
}

void indexOutOfRange(const char* operation, size_t i, size_t dimension, size_t size) {
  throw index_error(text(operation, ": expected an index below ", size, " in dimension ", dimension,
                         ", got ", i));
}

void sliceOutOfRange(size_t begin, size_t end, size_t dimension, size_t size) {
  throw index_error(text("Tensor::slice: expected begin <= end <= ", size, " in dimension ",
                         dimension, ", got [", begin, ",", end, ")"));
}

void sliceBounds(size_t begins, size_t ends, size_t rank) {
  throw index_error(text("Tensor::slice: expected as many begins as ends and at most ", rank,
                         " of them, got ", begins, " and ", ends));
}

void reshapeCount(ArrayRef<size_t> from, ArrayRef<size_t> to) {
  throw poplar_error(text("Tensor::reshape: expected a shape with as many elements as ",
                          shapeText(from), ", got ", shapeText(to)));
}

void squeezeSize(size_t dimension, size_t size) {
  throw poplar_error(
      text("Tensor::squeeze: expected dimension ", dimension, " to have size 1, got ", size));
}

void notAPermutation(const char* operation, ArrayRef<unsigned> list, size_t rank) {
  throw index_error(
      text(operation, ": expected each of ", rank, " dimensions once, got ", listText(list)));
}

void shuffleLists(size_t source, size_t destination) {
  throw index_error(text("Tensor::dimShufflePartial: expected as many destinations as the ", source,
                         " sources, got ", destination));
}

void zeroStride() { throw poplar_error("Tensor::subSample: expected a stride above 0, got 0"); }

void reinterpretSize(Type from, Type to) {
  throw type_error(
      text("Tensor::reinterpret: expected a type of the size of ", from, ", got ", to));
}

void tooManyElements(const char* operation, ArrayRef<size_t> shape) {
  throw tensor_creation_error(
      text(operation, ": expected a shape of below 2^32 elements, got ", shapeText(shape)));
}

void productOverflows(const char* operation, size_t a, size_t b) {
  throw overflow_error(
      text(operation, ": expected sizes whose product is below 2^64, got ", a, " and ", b));
}

void noMetadata(Type type) {
  throw type_error(
      text("Tensor::associateMetadata: expected a tensor of type quarter, got ", type));
}

void concatNothing() { throw poplar_error("concat: expected one tensor or more, got none"); }

void concatType(size_t i, Type type, Type expected) {
  throw type_error(
      text("concat: expected tensor ", i, " to be ", expected, " as the first is, got ", type));
}

void concatShape(size_t i, ArrayRef<size_t> shape, ArrayRef<size_t> expected, size_t dimension) {
  throw poplar_error(text("concat: expected tensor ", i, " to have the shape ", shapeText(expected),
                          " but for dimension ", dimension, ", got ", shapeText(shape)));
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
