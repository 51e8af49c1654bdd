// How the values of a sparse matrix lie on the device: in buckets of blocks, which steps of a
// program take one after the other.
#pragma once
#include <array>
#include <cstddef>
#include <poplar/OptionFlags.hpp>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/MatMulParams.hpp>
#include <poputil/TensorMetaData.hpp>
#include <vector>

namespace popsparse {

struct Layout {
  std::size_t rows, columns;
  std::array<std::size_t, 2> block;
  std::size_t buckets, capacity;  // in blocks of each

  std::size_t area() const { return block[0] * block[1]; }
  std::size_t bucketElements() const { return 1 + 2 * capacity; }
  std::size_t valueElements() const { return capacity * area(); }
};

// Blocks of a matrix, ordered by row and then by column, with their values row-major in a block.
struct Entries {
  std::vector<std::size_t> rows, columns;  // in blocks
  std::vector<double> values;
};

// With room for `blocks`, in buckets of about as much memory as a tile spares.
Layout makeLayout(std::size_t rows, std::size_t columns, const std::array<std::size_t, 2>& block,
                  std::size_t blocks);
Layout layoutOf(const dynamic::FullyConnectedParams& params, const poplar::OptionFlags& options);
Layout layoutOf(const dynamic::MatMulParams& params, const poplar::OptionFlags& options);

void checkStaticOptions(const poplar::OptionFlags& options);

// The buckets of `entries`, all of a layout one after the other. Throws where there is no room.
std::vector<std::size_t> makeBuckets(const Layout& layout, const Entries& entries);

// What a sparse tensor knows of itself.
class SparseMetaData : public poputil::TensorMetaDataBase {
 public:
  SparseMetaData(const Layout& layout_, std::vector<std::size_t> buckets_)
      : layout(layout_), buckets(std::move(buckets_)) {}
  std::unique_ptr<poputil::TensorMetaDataBase> clone() const override {
    return std::unique_ptr<poputil::TensorMetaDataBase>(new SparseMetaData(*this));
  }

  Layout layout;
  std::vector<std::size_t> buckets;  // where they are known when the graph is built
};

const SparseMetaData& metaDataOf(const poputil::TensorMetaData& data, const char* operation);

}  // namespace popsparse
