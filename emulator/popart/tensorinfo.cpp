#include <algorithm>
#include <popart/half.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/util.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <sstream>

namespace popart {

#define POPART_DATA_TYPE(T, NAME) \
  template <>                     \
  DataType getDataType<T>() {     \
    return DataType::NAME;        \
  }
POPART_DATA_TYPE(std::int8_t, INT8)
POPART_DATA_TYPE(std::int16_t, INT16)
POPART_DATA_TYPE(std::int32_t, INT32)
POPART_DATA_TYPE(std::int64_t, INT64)
POPART_DATA_TYPE(std::uint8_t, UINT8)
POPART_DATA_TYPE(std::uint16_t, UINT16)
POPART_DATA_TYPE(std::uint32_t, UINT32)
POPART_DATA_TYPE(std::uint64_t, UINT64)
POPART_DATA_TYPE(bool, BOOL)
POPART_DATA_TYPE(Half, FLOAT16)
POPART_DATA_TYPE(float, FLOAT)
POPART_DATA_TYPE(double, DOUBLE)
POPART_DATA_TYPE(std::string, STRING)
#undef POPART_DATA_TYPE

DataTypeInfo::DataTypeInfo(DataType type, int nbytes, bool isFixedPoint, std::string name,
                           std::string lcasename)
    : type_(type),
      nbytes_(nbytes),
      isFixedPoint_(isFixedPoint),
      name_(std::move(name)),
      lcasename_(std::move(lcasename)) {}

const std::map<DataType, DataTypeInfo>& getDataTypeInfoMap() {
  static const std::map<DataType, DataTypeInfo> map = [] {
    const DataTypeInfo infos[] = {
        {DataType::UINT8, 1, true, "UINT8", "uint8"},
        {DataType::INT8, 1, true, "INT8", "int8"},
        {DataType::FLOAT8_143, 1, false, "FLOAT8_143", "float8_143"},
        {DataType::FLOAT8_152, 1, false, "FLOAT8_152", "float8_152"},
        {DataType::UINT16, 2, true, "UINT16", "uint16"},
        {DataType::INT16, 2, true, "INT16", "int16"},
        {DataType::INT32, 4, true, "INT32", "int32"},
        {DataType::INT64, 8, true, "INT64", "int64"},
        {DataType::UINT32, 4, true, "UINT32", "uint32"},
        {DataType::UINT64, 8, true, "UINT64", "uint64"},
        {DataType::BOOL, 1, true, "BOOL", "bool"},
        {DataType::FLOAT, 4, false, "FLOAT", "float32"},
        {DataType::FLOAT16, 2, false, "FLOAT16", "float16"},
        {DataType::BFLOAT16, 2, false, "BFLOAT16", "bfloat16"},
        {DataType::DOUBLE, 8, false, "DOUBLE", "float64"},
        {DataType::COMPLEX64, 8, false, "COMPLEX64", "complex64"},
        {DataType::COMPLEX128, 16, false, "COMPLEX128", "complex128"},
        {DataType::STRING, 0, false, "STRING", "string"},
        {DataType::UNDEFINED, 0, false, "UNDEFINED", "undefined"},
    };
    std::map<DataType, DataTypeInfo> out;
    for (const DataTypeInfo& info : infos) out.insert({info.type(), info});
    return out;
  }();
  return map;
}

DataType dataTypeFromString(const std::string& name) {
  for (const auto& entry : getDataTypeInfoMap())
    if (entry.second.name() == name || entry.second.lcasename() == name) return entry.first;
  throw error("dataTypeFromString: expected the name of a type such as FLOAT, got '{}'", name);
}

std::ostream& operator<<(std::ostream& out, const DataType& type) {
  return out << getDataTypeInfoMap().at(type).name();
}

namespace {

constexpr std::int64_t kMaxElements = static_cast<std::int64_t>(poplar::emulator::kMaxElements);

Shape shapeFromString(const std::string& text) {
  Shape shape;
  bool inNumber = false;
  for (char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !inNumber) shape.push_back(0);
    inNumber = digit;
    if (!digit) continue;
    shape.back() = 10 * shape.back() + (c - '0');
    if (shape.back() >= kMaxElements)
      throw error("TensorInfo: expected a shape of sizes below 2^32, got '{}'", text);
  }
  return shape;
}

std::string shapeText(const Shape& shape) {
  std::ostringstream out;
  appendSequence(out, shape);
  return out.str();
}

}  // namespace

TensorInfo::TensorInfo(DataType type, const Shape& shape) { set(type, shape); }
TensorInfo::TensorInfo(DataType type, const Shape& shape, const Shape& metaShape) {
  set(type, shape, metaShape);
}
TensorInfo::TensorInfo(std::string type, std::string shape)
    : TensorInfo(dataTypeFromString(type), shapeFromString(shape)) {}
TensorInfo::TensorInfo(std::string type, const Shape& shape)
    : TensorInfo(dataTypeFromString(type), shape) {}

void TensorInfo::set(DataType type) { info_ = &getDataTypeInfoMap().at(type); }
void TensorInfo::set(DataType type, const Shape& shape) {
  set(type);
  shape_ = shape;
}
void TensorInfo::set(DataType type, const Shape& shape, const Shape& metaShape) {
  set(type, shape);
  metaShape_ = metaShape;
}

std::vector<std::size_t> TensorInfo::shape_szt() const {
  return vXtoY<std::int64_t, std::size_t>(shape_);
}

std::int64_t TensorInfo::nelms() const {
  std::size_t n = 0;
  if (!poplar::emulator::countElements(shape_szt(), &n))  // of which a negative one is too large
    throw error("TensorInfo: expected sizes of at least 0 and below 2^32 elements, got {}",
                shapeText(shape_));
  return static_cast<std::int64_t>(n);
}

std::int64_t TensorInfo::nbytes() const {
  return nelms() * getDataTypeInfoMap().at(dataType()).nbytes();
}

std::int64_t TensorInfo::dim(int i) const {
  if (i < 0 || i >= rank())
    throw error("TensorInfo::dim: expected a dimension below {}, got {}", rank(), i);
  return shape_[static_cast<std::size_t>(i)];
}

std::vector<int> TensorInfo::strides(const std::vector<long>& shape) const {
  std::vector<int> out(shape.size(), getDataTypeInfoMap().at(dataType()).nbytes());
  for (std::size_t i = shape.size(); i-- > 1;)
    if (__builtin_mul_overflow(out[i], shape[i], &out[i - 1]))
      throw error("TensorInfo::strides: expected strides below 2^31 bytes, got shape {}",
                  shapeText(shape));
  return out;
}

DataType TensorInfo::dataType() const {
  if (info_ == nullptr) throw error("TensorInfo::dataType: expected a type that was set, got none");
  return info_->type();
}

const std::string& TensorInfo::data_type() const {
  return getDataTypeInfoMap().at(dataType()).name();
}
const std::string& TensorInfo::data_type_lcase() const {
  return getDataTypeInfoMap().at(dataType()).lcasename();
}

void TensorInfo::append(std::ostream& out) const {
  out << (isSet() ? data_type() : "unset") << ' ';
  appendSequence(out, shape_);
}

bool TensorInfo::operator==(const TensorInfo& other) const {
  return info_ == other.info_ && shape_ == other.shape_ && metaShape_ == other.metaShape_;
}

std::ostream& operator<<(std::ostream& out, const TensorInfo& info) {
  info.append(out);
  return out;
}

std::vector<std::int64_t> npOut(const std::vector<std::int64_t>& a,
                                const std::vector<std::int64_t>& b, const std::string& debugName) {
  std::vector<std::int64_t> out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {  // from the last dimension on
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      throw error("npOut: {}: expected shapes that broadcast, got {} and {}", debugName,
                  shapeText(a), shapeText(b));
    }
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

TensorInfo npOut(const TensorInfo& a, const TensorInfo& b, bool checkDataType,
                 const std::string& debugName) {
  if (checkDataType && a.dataType() != b.dataType()) {
    throw error("npOut: {}: expected tensors of one type, got {} and {}", debugName, a.dataType(),
                b.dataType());
  }
  return TensorInfo(a.dataType(), npOut(a.shape(), b.shape(), debugName));
}

std::vector<std::int64_t> npReductionAxis(const std::vector<std::int64_t>& in,
                                          const std::vector<std::int64_t>& out) {
  npOut(in, out, "npReductionAxis");
  std::vector<std::int64_t> axes;
  const std::size_t missing = out.size() - in.size();
  for (std::size_t i = 0; i < out.size(); ++i)
    if (i < missing || (in[i - missing] == 1 && out[i] > 1))
      axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

}  // namespace popart
