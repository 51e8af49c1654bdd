#ifndef popops_Pad_hpp
#define popops_Pad_hpp

#include <cstddef>
#include <poplar/Graph.hpp>
#include <vector>

namespace popops {

namespace padding {

enum class Type {
  EDGE,     // [1,2,3] becomes [1,1,1,2,3,3]
  REFLECT,  // [1,2,3] becomes [3,2,1,2,3,2]
};

/// Where padding that is new memory lies.
enum class MappingMethod {
  NONE,  // nowhere: the caller maps it
  ZERO,  // on tile 0
  EDGE,  // with the nearest element
};

}  // namespace padding

/// `t` with paddingLower[i] elements of value `val` before and paddingUpper[i] after it along each
/// dimension i; a negative number takes elements away. The padding is a constant, or the one
/// element of the tensor `val`. Throws poputil::poplibs_error where numbers do not fit the tensor.
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t,
                   const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, float val = 0.0f,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t,
                   const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, int val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t,
                   const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, const poplar::Tensor& val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
// Along one dimension.
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, float val = 0.0f,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, int val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, const poplar::Tensor& val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);

/// With elements of `t` itself: the result is a view.
poplar::Tensor pad(const poplar::Tensor& t, const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, padding::Type type);
poplar::Tensor pad(const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, padding::Type type);

}  // namespace popops

#endif  // popops_Pad_hpp
