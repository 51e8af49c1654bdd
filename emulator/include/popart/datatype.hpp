#ifndef popart_datatype_hpp
#define popart_datatype_hpp

#include <ostream>
#include <popart/basicoptionals.hpp>

namespace popart {

/// Element types of tensors. Those that the device computes with are INT8, UINT8, INT16, UINT16,
/// INT32, UINT32, BOOL, FLOAT and FLOAT16.
enum class DataType {
  UINT8 = 0,
  INT8,
  FLOAT8_143,
  FLOAT8_152,
  UINT16,
  INT16,
  INT32,
  INT64,
  UINT32,
  UINT64,
  BOOL,
  FLOAT,
  FLOAT16,
  BFLOAT16,
  DOUBLE,
  COMPLEX64,
  COMPLEX128,
  STRING,
  UNDEFINED,
};

std::ostream& operator<<(std::ostream& out, const DataType& type);

using OptionalDataType = BasicOptional<DataType, 0>;

}  // namespace popart

#endif  // popart_datatype_hpp
