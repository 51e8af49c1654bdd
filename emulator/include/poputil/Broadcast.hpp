#ifndef poputil_Broadcast_hpp
#define poputil_Broadcast_hpp

#include <poplar/Tensor.hpp>
#include <vector>

namespace poputil {

/// Gives the tensor of the lower rank leading dimensions of size 1, until the ranks are equal.
void expandToMatchRanks(poplar::Tensor& a, poplar::Tensor& b);

/// Broadcasts as NumPy does: shapes are aligned at their last dimensions, and dimensions of size
/// 1 are repeated. The repeats alias. Throws poplibs_error where the shapes do not fit.
void broadcastToMatch(poplar::Tensor& a, const std::vector<std::size_t>& shape);
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b);
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b, poplar::Tensor& c);

bool canBroadcastToMatch(const poplar::Tensor& a, const poplar::Tensor& b);

}  // namespace poputil

#endif  // poputil_Broadcast_hpp
