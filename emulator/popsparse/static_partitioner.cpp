#include <popsparse/SparsePartitioner.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "entries.hpp"

namespace popsparse {
namespace static_ {

class PartitionerImpl {
 public:
  std::size_t rows, columns;
  mutable bool known = false;  // the pattern, of the last matrix that was given
  mutable Layout layout = {};
  mutable Entries entries;
};

namespace {

template <typename T, typename Matrix>
SparsityDataImpl<T> pack(const PartitionerImpl& impl, const Matrix& matrix) {
  impl.entries = entriesOf(matrix, impl.rows, impl.columns);
  impl.layout =
      makeLayout(impl.rows, impl.columns, matrix.getBlockDimensions(), impl.entries.rows.size());
  impl.known = true;
  return {std::vector<T>(impl.entries.values.begin(), impl.entries.values.end())};
}

template <typename T>
Entries unpack(const PartitionerImpl& impl, const SparsityDataImpl<T>& data) {
  if (!impl.known || data.nzValues.size() != impl.entries.values.size()) {
    throw poputil::poplibs_error(
        "Partitioner: expected values of the pattern that createSparsityDataImpl was given, got " +
        std::to_string(data.nzValues.size()));
  }
  Entries out = impl.entries;
  out.values.assign(data.nzValues.begin(), data.nzValues.end());
  return out;
}

}  // namespace

template <typename T>
Partitioner<T>::Partitioner(const MatMulParams& params, const poplar::Type&, const poplar::Target&,
                            const poplar::OptionFlags& options, PlanningCache*, std::string name_)
    : name(std::move(name_)), impl(new PartitionerImpl) {
  checkStaticOptions(options);
  impl->rows = params.isTransposed() ? params.getK() : params.getM();
  impl->columns = params.isTransposed() ? params.getM() : params.getK();
}

template <typename T>
Partitioner<T>::~Partitioner() = default;

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const CSCMatrix<T>& m) const {
  return pack<T>(*impl, m);
}

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const CSRMatrix<T>& m) const {
  return pack<T>(*impl, m);
}

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const COOMatrix<T>& m) const {
  return pack<T>(*impl, m);
}

template <typename T>
COOMatrix<T> Partitioner<T>::sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& data) const {
  return toCOO<T>(unpack(*impl, data), impl->layout);
}

template <typename T>
CSRMatrix<T> Partitioner<T>::sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& data) const {
  return toCSR<T>(unpack(*impl, data), impl->layout);
}

template <typename T>
CSCMatrix<T> Partitioner<T>::sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& data) const {
  return toCSC<T>(unpack(*impl, data), impl->layout);
}

template class Partitioner<float>;
template class Partitioner<double>;

}  // namespace static_
}  // namespace popsparse
