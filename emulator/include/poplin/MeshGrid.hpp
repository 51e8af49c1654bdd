#ifndef poplin_MeshGrid_hpp
#define poplin_MeshGrid_hpp

#include <poplar/Graph.hpp>
#include <vector>

namespace poplin {

/// A constant [count] of float or half on tile 0: equally spaced from `left` to `right`.
poplar::Tensor linspace(poplar::Graph& graph, const poplar::Type& type, float left, float right,
                        std::size_t count, const poplar::DebugContext& debugContext = {});

/// The coordinates of a grid, as views [Y, X] of `x` [X] and `y` [Y].
std::vector<poplar::Tensor> meshgrid2d(poplar::Graph& graph, poplar::Tensor x, poplar::Tensor y);

}  // namespace poplin

#endif  // poplin_MeshGrid_hpp
