// Which blocks of a matrix there are, and where its diagonal passes them.
#pragma once
#include <array>
#include <popsparse/experimental/BlockSparse.hpp>
#include <vector>

namespace popsparse {
namespace experimental {

// The blocks of a matrix of groups, one below the other; those that are there lie in this order.
struct Pattern {
  std::size_t rows, columns;  // in blocks, the rows of a group
  std::array<unsigned, 2> block;
  unsigned groups;
  std::vector<unsigned char> mask;  // (groups, rows, columns)

  std::size_t area() const { return std::size_t{block[0]} * block[1]; }
  std::size_t blocks() const;
};

// The first column of each block that is there minus its first row within its group. Throws where
// `masked` leaves nothing of a block, as poplibs does.
std::vector<int> diagonals(const Pattern& pattern, SubBlockMask masked, const char* operation);

// Throws where a size of a matrix is no multiple of that of its blocks.
void checkBlocks(int size, int block, int index, const char* operation);

}  // namespace experimental
}  // namespace popsparse
