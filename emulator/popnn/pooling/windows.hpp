// Which elements of a field each window of a pooling covers.
#pragma once
#include <popnn/Pooling.hpp>
#include <vector>

namespace popnn {
namespace pooling {

// Throws poplibs_error where the dimensions differ or the kernel is larger than the padded field.
void checkParams(const PoolParams& params);

// For each position of the output, in row-major order, the positions of the field in its window.
std::vector<std::vector<unsigned>> windows(const PoolParams& params);
// For each position of the field, the windows that cover it.
std::vector<std::vector<unsigned>> coverings(const PoolParams& params);

std::size_t positions(const std::vector<std::size_t>& field);

}  // namespace pooling
}  // namespace popnn
