#ifndef popart_tensorinfo_hpp
#define popart_tensorinfo_hpp

#include <algorithm>  // as in PopART
#include <cstdint>
#include <exception>  // as in PopART
#include <iostream>   // as in PopART
#include <map>
#include <numeric>  // as in PopART
#include <ostream>
#include <popart/datatype.hpp>
#include <popart/error.hpp>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

class Half;

template <class T>
DataType getDataType();
template <>
DataType getDataType<std::int8_t>();
template <>
DataType getDataType<std::int16_t>();
template <>
DataType getDataType<std::int32_t>();
template <>
DataType getDataType<std::int64_t>();
template <>
DataType getDataType<std::uint8_t>();
template <>
DataType getDataType<std::uint16_t>();
template <>
DataType getDataType<std::uint32_t>();
template <>
DataType getDataType<std::uint64_t>();
template <>
DataType getDataType<bool>();
template <>
DataType getDataType<Half>();
template <>
DataType getDataType<float>();
template <>
DataType getDataType<double>();
template <>
DataType getDataType<std::string>();

class DataTypeInfo {
 public:
  DataTypeInfo(DataType type, int nbytes, bool isFixedPoint, std::string name,
               std::string lcasename);
  DataType type() const { return type_; }
  const int& nbytes() const { return nbytes_; }
  const std::string& name() const { return name_; }
  const std::string& lcasename() const { return lcasename_; }
  bool isFixedPoint() const { return isFixedPoint_; }

 private:
  DataType type_;
  int nbytes_;
  bool isFixedPoint_;
  std::string name_, lcasename_;
};

const std::map<DataType, DataTypeInfo>& getDataTypeInfoMap();
/// Of "FLOAT", "float32", ... Throws `error` for a name that is none.
DataType dataTypeFromString(const std::string& name);

class TensorInfo;

/// The shape of an elementwise operation on both, as NumPy broadcasts. Throws `error` where it
/// cannot.
std::vector<std::int64_t> npOut(const std::vector<std::int64_t>& a,
                                const std::vector<std::int64_t>& b,
                                const std::string& debugName = "");
TensorInfo npOut(const TensorInfo& a, const TensorInfo& b, bool checkDataType,
                 const std::string& debugName = "");
/// The axes over which a gradient of shape `out` is summed to be one of shape `in`.
std::vector<std::int64_t> npReductionAxis(const std::vector<std::int64_t>& in,
                                          const std::vector<std::int64_t>& out);

/// The type and shape of a tensor.
class TensorInfo {
 public:
  TensorInfo() = default;
  TensorInfo(DataType type, const Shape& shape);
  TensorInfo(DataType type, const Shape& shape, const Shape& metaShape);
  /// The shape as text: "(2,3)".
  TensorInfo(std::string type, std::string shape);
  TensorInfo(std::string type, const Shape& shape);

  void set(DataType type);
  void set(DataType type, const Shape& shape);
  void set(DataType type, const Shape& shape, const Shape& metaShape);

  const Shape& shape() const { return shape_; }
  const Shape& metaShape() const { return metaShape_; }
  std::vector<std::size_t> shape_szt() const;
  Rank rank() const { return static_cast<Rank>(shape_.size()); }
  std::int64_t nelms() const;
  std::int64_t nbytes() const;
  std::int64_t dim(int i) const;
  /// In bytes, of a contiguous row-major array.
  std::vector<int> strides(const std::vector<long>& shape) const;

  bool isSet() const { return info_ != nullptr; }
  DataType dataType() const;
  const std::string& data_type() const;        // "FLOAT"
  const std::string& data_type_lcase() const;  // "float32"
  const DataTypeInfo* getDataTypeInfo() const { return info_; }
  void append(std::ostream& out) const;

  bool operator==(const TensorInfo& other) const;
  bool operator!=(const TensorInfo& other) const { return !(*this == other); }

 private:
  const DataTypeInfo* info_ = nullptr;
  Shape shape_, metaShape_;
};

std::ostream& operator<<(std::ostream& out, const TensorInfo& info);

}  // namespace popart

#endif  // popart_tensorinfo_hpp
