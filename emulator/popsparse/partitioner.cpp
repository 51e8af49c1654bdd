#include <popsparse/SparsePartitioner.hpp>
#include <poputil/exceptions.hpp>

#include "entries.hpp"

namespace popsparse {
namespace dynamic {

class PartitionerImpl {
 public:
  Layout layout;
};

namespace {

template <typename T>
SparsityDataImpl<T> pack(const Layout& layout, const Entries& entries) {
  SparsityDataImpl<T> out;
  out.metaInfo = makeBuckets(layout, entries);
  out.nzValues.assign(entries.values.begin(), entries.values.end());
  out.nzValues.resize(layout.buckets * layout.valueElements());
  return out;
}

template <typename T>
Entries unpack(const Layout& layout, const SparsityDataImpl<T>& data) {
  const std::size_t elements = layout.bucketElements(), values = layout.valueElements();
  if (data.metaInfo.size() != layout.buckets * elements ||
      data.nzValues.size() != layout.buckets * values) {
    throw poputil::poplibs_error("Partitioner: expected data of this partitioner, got another's");
  }
  Entries out;
  for (std::size_t b = 0; b < layout.buckets; ++b) {
    const std::size_t* const bucket = &data.metaInfo[b * elements];
    const std::size_t count = bucket[0];
    out.rows.insert(out.rows.end(), bucket + 1, bucket + 1 + count);
    out.columns.insert(out.columns.end(), bucket + 1 + layout.capacity,
                       bucket + 1 + layout.capacity + count);
    const auto first = data.nzValues.begin() + static_cast<std::ptrdiff_t>(b * values);
    out.values.insert(out.values.end(), first,
                      first + static_cast<std::ptrdiff_t>(count * layout.area()));
  }
  return out;
}

}  // namespace

template <typename T>
Partitioner<T>::Partitioner(const FullyConnectedParams& params, const poplar::Type&,
                            const poplar::Target&, const poplar::OptionFlags& options,
                            PlanningCache*, std::string name_)
    : name(std::move(name_)), impl(new PartitionerImpl{layoutOf(params, options)}) {}

template <typename T>
Partitioner<T>::Partitioner(const MatMulParams& params, const poplar::Type&, const poplar::Target&,
                            const poplar::OptionFlags& options, PlanningCache*, std::string name_)
    : name(std::move(name_)), impl(new PartitionerImpl{layoutOf(params, options)}) {}

template <typename T>
Partitioner<T>::~Partitioner() = default;

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const CSCMatrix<T>& m) const {
  return pack<T>(impl->layout, entriesOf(m, impl->layout.rows, impl->layout.columns));
}

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const CSRMatrix<T>& m) const {
  return pack<T>(impl->layout, entriesOf(m, impl->layout.rows, impl->layout.columns));
}

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const COOMatrix<T>& m) const {
  return pack<T>(impl->layout, entriesOf(m, impl->layout.rows, impl->layout.columns));
}

template <typename T>
COOMatrix<T> Partitioner<T>::sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& data) const {
  return toCOO<T>(unpack(impl->layout, data), impl->layout);
}

template <typename T>
CSRMatrix<T> Partitioner<T>::sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& data) const {
  return toCSR<T>(unpack(impl->layout, data), impl->layout);
}

template <typename T>
CSCMatrix<T> Partitioner<T>::sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& data) const {
  return toCSC<T>(unpack(impl->layout, data), impl->layout);
}

template <typename T>
std::array<std::vector<std::size_t>, 3> Partitioner<T>::getPlanPartitions(void) const {
  return {{{0}, {0}, {0}}};
}

template <typename T>
std::size_t Partitioner<T>::getmetaInfoBucketElements(void) const {
  return impl->layout.bucketElements();
}

template class Partitioner<float>;
template class Partitioner<double>;

}  // namespace dynamic
}  // namespace popsparse
