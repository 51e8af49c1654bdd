#include "slicing/index_vectors.hpp"

#include <algorithm>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using Shape = std::vector<std::size_t>;

Tensor indexVectors(const Tensor& indices, std::size_t dim, std::size_t size,
                    const char* operation) {
  const unsigned rank = indices.rank();
  const bool scalars = dim == rank;
  if (dim > rank || (scalars ? 1 : indices.dim(static_cast<unsigned>(dim))) != size) {
    throw poputil::poplibs_error(std::string(operation) + ": expected indices with " +
                                 std::to_string(size) + " elements along dimension " +
                                 std::to_string(dim) + ", got " + indices.shapeToString());
  }
  const Tensor last =
      scalars ? indices.expand({rank}) : indices.dimRoll(static_cast<unsigned>(dim), rank - 1);
  return last.reshape({last.numElements() / std::max<std::size_t>(size, 1), size});
}

std::vector<unsigned> otherDims(std::size_t rank, const std::vector<unsigned>& dims) {
  std::vector<unsigned> out;
  for (unsigned d = 0; d < rank; ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) out.push_back(d);
  }
  return out;
}

Tensor cutOthers(Tensor t, const std::vector<unsigned>& dims, const Shape& sizes) {
  for (const unsigned d : otherDims(t.rank(), dims)) t = t.slice(0, sizes.at(d), d);
  return t;
}

Shape sizesAlong(const std::vector<unsigned>& dims, const Shape& sizes) {
  Shape out;
  for (const unsigned d : dims) out.push_back(sizes.at(d));
  return out;
}

}  // namespace popops
