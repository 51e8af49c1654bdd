#ifndef popsparse_SparseStorageFormats_hpp
#define popsparse_SparseStorageFormats_hpp

#include <array>
#include <cstddef>
#include <vector>

namespace popsparse {

// Matrices of blocks; single elements are blocks of 1 x 1. Indices are those of the first element
// of a block, and offsets count values.

struct Block {
  std::size_t getNumColumnsInBlock() const { return blockDimensions[1]; }
  std::size_t getNumRowsInBlock() const { return blockDimensions[0]; }
  std::size_t getBlockSize() const { return blockDimensions[0] * blockDimensions[1]; }
  std::array<std::size_t, 2> getBlockDimensions() const { return blockDimensions; }

 protected:
  std::array<std::size_t, 2> blockDimensions;
};

#define POPSPARSE_MATRIX(NAME)                                                            \
  std::size_t numRows = 0;                                                                \
  std::size_t numColumns = 0;                                                             \
  std::vector<T> nzValues;                                                                \
  std::vector<std::size_t> columnIndices;                                                 \
  std::vector<std::size_t> rowIndices;                                                    \
                                                                                          \
  NAME(const std::vector<T>& nzValues_, const std::vector<std::size_t>& columnIndices_,   \
       const std::vector<std::size_t>& rowIndices_,                                       \
       const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})                     \
      : nzValues(nzValues_), columnIndices(columnIndices_), rowIndices(rowIndices_) {     \
    Block::blockDimensions = blockDimensions_;                                            \
  }                                                                                       \
  NAME(std::size_t numRows_, std::size_t numColumns_, const std::vector<T>& nzValues_,    \
       const std::vector<std::size_t>& columnIndices_,                                    \
       const std::vector<std::size_t>& rowIndices_,                                       \
       const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})                     \
      : NAME(nzValues_, columnIndices_, rowIndices_, blockDimensions_) {                  \
    numRows = numRows_;                                                                   \
    numColumns = numColumns_;                                                             \
  }                                                                                       \
  NAME(std::vector<T>&& nzValues_, std::vector<std::size_t>&& columnIndices_,             \
       std::vector<std::size_t>&& rowIndices_,                                            \
       const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})                     \
      : nzValues(nzValues_), columnIndices(columnIndices_), rowIndices(rowIndices_) {     \
    Block::blockDimensions = blockDimensions_;                                            \
  }                                                                                       \
  NAME(std::size_t numRows_, std::size_t numColumns_, std::vector<T>&& nzValues_,         \
       std::vector<std::size_t>&& columnIndices_, std::vector<std::size_t>&& rowIndices_, \
       const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})                     \
      : NAME(nzValues_, columnIndices_, rowIndices_, blockDimensions_) {                  \
    numRows = numRows_;                                                                   \
    numColumns = numColumns_;                                                             \
  }                                                                                       \
  NAME(const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}}) {                   \
    Block::blockDimensions = blockDimensions_;                                            \
  }                                                                                       \
  NAME(const NAME&) = default;                                                            \
  NAME& operator=(const NAME&) = default;

/// The row and the column of every block.
template <typename T>
struct COOMatrix : Block {
  POPSPARSE_MATRIX(COOMatrix)
  COOMatrix(std::size_t numNZValues, const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})
      : COOMatrix(blockDimensions_) {
    nzValues.resize(numNZValues);
    rowIndices.resize(numNZValues);
    columnIndices.resize(numNZValues);
  }
};

/// The row of every block, and for every column of blocks where its values begin; the values of a
/// block are column by column.
template <typename T>
struct CSCMatrix : Block {
  POPSPARSE_MATRIX(CSCMatrix)
  CSCMatrix(std::size_t numNZValues, std::size_t numColumns_,
            const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})
      : CSCMatrix(blockDimensions_) {
    nzValues.resize(numNZValues);
    rowIndices.resize(numNZValues);
    columnIndices.resize(numColumns_ + 1);
  }
};

/// The column of every block, and for every row of blocks where its values begin.
template <typename T>
struct CSRMatrix : Block {
  POPSPARSE_MATRIX(CSRMatrix)
  CSRMatrix(std::size_t numNZValues, std::size_t numRows_,
            const std::array<std::size_t, 2>& blockDimensions_ = {{1, 1}})
      : CSRMatrix(blockDimensions_) {
    nzValues.resize(numNZValues);
    columnIndices.resize(numNZValues);
    rowIndices.resize(numRows_ + 1);
  }
};

#undef POPSPARSE_MATRIX

}  // namespace popsparse

#endif  // popsparse_SparseStorageFormats_hpp
