#include "pattern.hpp"

#include <algorithm>
#include <poputil/exceptions.hpp>
#include <string>

namespace popsparse {
namespace experimental {

using poputil::poplibs_error;

std::size_t Pattern::blocks() const {
  return mask.size() - static_cast<std::size_t>(std::count(mask.begin(), mask.end(), 0));
}

std::vector<int> diagonals(const Pattern& pattern, SubBlockMask masked, const char* operation) {
  const int high = static_cast<int>(pattern.block[0]), wide = static_cast<int>(pattern.block[1]);
  std::vector<int> out;
  for (std::size_t i = 0; i < pattern.mask.size(); ++i) {
    if (!pattern.mask[i]) continue;
    const std::size_t row = i / pattern.columns, column = i % pattern.columns;
    const int offset =
        static_cast<int>(column) * wide - static_cast<int>(row % pattern.rows) * high;
    const bool above = offset >= high, below = offset + wide <= 0;
    if ((masked == SubBlockMask::ZeroUpperTriangle && above) ||
        (masked == SubBlockMask::ZeroLowerTriangle && below)) {
      throw poplibs_error(std::string(operation) +
                          ": expected blocks of which the mask leaves something, got block " +
                          std::to_string(row) + ", " + std::to_string(column) + " " +
                          (above ? "above" : "below") + " the diagonal");
    }
    out.push_back(offset);
  }
  return out;
}

void checkBlocks(int size, int block, int index, const char* operation) {
  if (size <= 0 || block <= 0 || size % block != 0) {
    throw poplibs_error(std::string(operation) + ": dimension " + std::to_string(index) +
                        ": expected a multiple of its block of " + std::to_string(block) +
                        ", got " + std::to_string(size));
  }
}

}  // namespace experimental
}  // namespace popsparse
