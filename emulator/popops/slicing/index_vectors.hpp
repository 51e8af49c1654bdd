// Common code of gather and scatter: XLA's index vectors.
#pragma once
#include <poplar/Tensor.hpp>
#include <vector>

namespace popops {

// `indices`, whose dimension `dim` holds index vectors of length `size`, as [N, size].
poplar::Tensor indexVectors(const poplar::Tensor& indices, std::size_t dim, std::size_t size,
                            const char* operation);

// The dimensions below `rank` that `dims` has not, in order.
std::vector<unsigned> otherDims(std::size_t rank, const std::vector<unsigned>& dims);

// `t` cut to `sizes` from 0 on along all dimensions but `dims`.
poplar::Tensor cutOthers(poplar::Tensor t, const std::vector<unsigned>& dims,
                         const std::vector<std::size_t>& sizes);

// sizes[d] for each of dims.
std::vector<std::size_t> sizesAlong(const std::vector<unsigned>& dims,
                                    const std::vector<std::size_t>& sizes);

}  // namespace popops
