#ifndef popsparse_SparseTensor_hpp
#define popsparse_SparseTensor_hpp

#include <poplar/Tensor.hpp>
#include <poputil/TensorMetaData.hpp>

namespace popsparse {
namespace dynamic {

/// Where the values are, as a Partitioner writes it, and the values.
class SparseTensor {
  poplar::Tensor metaInfo;
  poplar::Tensor nzValues;
  poputil::TensorMetaData opMetaData;

 public:
  SparseTensor() = default;
  SparseTensor(const SparseTensor& t) = default;
  SparseTensor& operator=(const SparseTensor& t) = default;
  SparseTensor(const poplar::Tensor& metaInfo_, const poplar::Tensor& nzValues_,
               const poputil::TensorMetaData& opMetaData_ = {})
      : metaInfo(metaInfo_), nzValues(nzValues_), opMetaData(opMetaData_) {}
  const poplar::Tensor& getMetaInfoTensor() const { return metaInfo; }
  const poplar::Tensor& getNzValuesTensor() const { return nzValues; }
  const poputil::TensorMetaData& getOpMetaData() const { return opMetaData; }
};

}  // namespace dynamic

namespace static_ {

/// The values alone: where they are is known when the graph is built.
class SparseTensor {
  poplar::Tensor nzValues;
  poputil::TensorMetaData opMetaData;

 public:
  SparseTensor() = default;
  SparseTensor(const SparseTensor& t) = default;
  SparseTensor& operator=(const SparseTensor& t) = default;
  SparseTensor(const poplar::Tensor& nzValues_, const poputil::TensorMetaData& opMetaData_ = {})
      : nzValues(nzValues_), opMetaData(opMetaData_) {}
  const poplar::Tensor& getNzValuesTensor() const { return nzValues; }
  const poputil::TensorMetaData& getOpMetaData() const { return opMetaData; }
};

}  // namespace static_
}  // namespace popsparse

#endif  // popsparse_SparseTensor_hpp
