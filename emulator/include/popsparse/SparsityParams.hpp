#ifndef popsparse_SparsityParams_hpp
#define popsparse_SparsityParams_hpp

#include <array>
#include <cstddef>
#include <ostream>

namespace popsparse {
namespace dynamic {

enum class SparsityType { Element, Block };
std::ostream& operator<<(std::ostream& os, const SparsityType& t);

enum class SparsityStructure { Unstructured };
std::ostream& operator<<(std::ostream& os, const SparsityStructure& s);

/// The type follows from the block: of more than one element or not.
struct SparsityParams {
  SparsityType type;
  SparsityStructure structure;
  std::array<std::size_t, 2> blockDimensions;

  SparsityParams(SparsityType = SparsityType::Element,
                 SparsityStructure structure_ = SparsityStructure::Unstructured,
                 std::array<std::size_t, 2> blockDimensions_ = {{1, 1}})
      : type(blockDimensions_[0] * blockDimensions_[1] == 1 ? SparsityType::Element
                                                            : SparsityType::Block),
        structure(structure_),
        blockDimensions(blockDimensions_) {}
  SparsityParams(const SparsityParams&) = default;
  SparsityParams& operator=(const SparsityParams&) = default;

  friend bool operator<(const SparsityParams& a, const SparsityParams& b);
  friend bool operator==(const SparsityParams& a, const SparsityParams& b);
  friend bool operator!=(const SparsityParams& a, const SparsityParams& b);
  friend std::ostream& operator<<(std::ostream& os, const SparsityParams& p);
};

}  // namespace dynamic
}  // namespace popsparse

#endif  // popsparse_SparsityParams_hpp
