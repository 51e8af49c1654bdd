// The emulator's own: sizes whose products must not wrap. The SDK has no such header.
#ifndef poplar_emulator_Sizes_hpp
#define poplar_emulator_Sizes_hpp

#include <cstddef>
#include <poplar/ArrayRef.hpp>

namespace poplar {
namespace emulator {

/// Every tensor has fewer elements, so that 32 bits hold each of its sizes, and 64 bits its bytes
/// and the product of two sizes.
constexpr std::size_t kMaxElements = std::size_t(1) << 32;

/// Gives the number of elements of `shape`; false where it, or the product of the sizes other than
/// 0, which strides are made of, is not below `kMaxElements`.
bool countElements(ArrayRef<std::size_t> shape, std::size_t* n);

/// The same; throws `tensor_creation_error` where that is false. `operation` names who asks.
std::size_t checkedElements(const char* operation, ArrayRef<std::size_t> shape);

/// a * b; throws `overflow_error` where 64 bits do not hold it.
std::size_t checkedProduct(const char* operation, std::size_t a, std::size_t b);

}  // namespace emulator
}  // namespace poplar

#endif  // poplar_emulator_Sizes_hpp
