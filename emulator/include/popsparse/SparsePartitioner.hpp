#ifndef popsparse_SparsePartitioner_hpp
#define popsparse_SparsePartitioner_hpp

#include <array>
#include <cstddef>
#include <memory>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <popsparse/FullyConnected.hpp>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/MatMulParams.hpp>
#include <popsparse/SparseStorageFormats.hpp>
#include <string>
#include <vector>

namespace popsparse {
namespace dynamic {

class PartitionerImpl;

/// What is to be written to the two tensors of a SparseTensor.
template <typename T>
struct SparsityDataImpl {
  std::vector<std::size_t> metaInfo;
  std::vector<T> nzValues;
};

/// Turns matrices on the host into what the device takes, and back; of float and double.
template <typename T>
class Partitioner {
  std::string name;

 public:
  const PartitionerImpl& getImpl() const { return *impl; }
  Partitioner(const FullyConnectedParams& params, const poplar::Type& dataType,
              const poplar::Target& target, const poplar::OptionFlags& options,
              PlanningCache* cache = {}, std::string name = "");
  Partitioner(const MatMulParams& params, const poplar::Type& dataType,
              const poplar::Target& target, const poplar::OptionFlags& options,
              PlanningCache* cache = {}, std::string name = "");
  ~Partitioner();

  SparsityDataImpl<T> createSparsityDataImpl(const CSCMatrix<T>& matrix_) const;
  SparsityDataImpl<T> createSparsityDataImpl(const CSRMatrix<T>& matrix_) const;
  SparsityDataImpl<T> createSparsityDataImpl(const COOMatrix<T>& matrix_) const;
  COOMatrix<T> sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& sparsityDataImpl) const;
  CSRMatrix<T> sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& sparsityDataImpl) const;
  CSCMatrix<T> sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& sparsityDataImpl) const;

  /// Where the partitions of rows, columns and samples begin.
  std::array<std::vector<std::size_t>, 3> getPlanPartitions(void) const;
  std::size_t getmetaInfoBucketElements(void) const;

 private:
  std::unique_ptr<PartitionerImpl> impl;
};

}  // namespace dynamic

namespace static_ {

template <typename T>
struct SparsityDataImpl {
  std::vector<T> nzValues;
  SparsityDataImpl(std::vector<T> nzValues_) : nzValues(std::move(nzValues_)) {}
};

class PartitionerImpl;

/// Of matrices with the pattern of the last one that createSparsityDataImpl() was called with.
template <typename T>
class Partitioner {
  std::string name;

 public:
  const PartitionerImpl& getImpl() const { return *impl; }
  Partitioner(const MatMulParams& params, const poplar::Type& dataType,
              const poplar::Target& target, const poplar::OptionFlags& options,
              PlanningCache* cache = {}, std::string name = "");
  ~Partitioner();

  SparsityDataImpl<T> createSparsityDataImpl(const CSCMatrix<T>& matrix) const;
  SparsityDataImpl<T> createSparsityDataImpl(const CSRMatrix<T>& matrix) const;
  SparsityDataImpl<T> createSparsityDataImpl(const COOMatrix<T>& matrix) const;
  COOMatrix<T> sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& sparsityDataImpl) const;
  CSRMatrix<T> sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& sparsityDataImpl) const;
  CSCMatrix<T> sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& sparsityDataImpl) const;

 private:
  std::unique_ptr<PartitionerImpl> impl;
};

}  // namespace static_
}  // namespace popsparse

#endif  // popsparse_SparsePartitioner_hpp
