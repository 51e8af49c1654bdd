#include "model.hpp"

#include <cstring>
#include <fstream>
#include <popart/attributes.hpp>
#include <popart/error.hpp>
#include <poplar/emulator/Checksum.hpp>
#include <sstream>

namespace popart {
namespace emulator {

namespace {

// The first line; the checksum of what follows comes after it.
constexpr char kMagic[] = "popsnn model 3\n";
constexpr std::size_t kLine = sizeof kMagic - 1, kHeading = kLine + sizeof(std::uint64_t);

// Writes values to, or reads them from, the bytes of a model: one description of the format.
class Writer {
 public:
  std::string bytes;

  template <class T>
  void number(T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string& value) {
    std::uint64_t size = value.size();
    number(size);
    bytes += value;
  }
  template <class T, class F>
  void list(std::vector<T>& values, const T&, F each) {
    std::uint64_t size = values.size();
    number(size);
    for (T& value : values) each(value);
  }
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes), at_(kHeading) {}

  template <class T>
  void number(T& value) {
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void text(std::string& value) {
    std::uint64_t size = 0;
    number(size);
    value.assign(take(size), size);
  }
  template <class T, class F>
  void list(std::vector<T>& values, const T& empty, F each) {
    std::uint64_t size = 0;
    number(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      values.push_back(empty);
      each(values.back());
    }
  }

 private:
  const char* take(std::uint64_t size) {
    if (size > bytes_.size() - at_) throw error("model: expected {} more bytes, got the end", size);
    at_ += size;
    return bytes_.data() + at_ - size;
  }
  const std::string& bytes_;
  std::size_t at_;
};

template <class Archive>
void describe(Archive& a, TensorInfo& info) {
  std::int32_t type = info.isSet() ? static_cast<std::int32_t>(info.dataType()) : 0;
  Shape shape = info.shape();
  a.number(type);
  a.list(shape, std::int64_t(0), [&](std::int64_t& d) { a.number(d); });
  info.set(static_cast<DataType>(type), shape);
}

template <class Archive>
void describeValue(Archive& a, std::int64_t& value) {
  a.number(value);
}
template <class Archive>
void describeValue(Archive& a, float& value) {
  a.number(value);
}
template <class Archive>
void describeValue(Archive& a, std::string& value) {
  a.text(value);
}
template <class Archive, class T>
void describeValue(Archive& a, std::vector<T>& values) {
  a.list(values, T(), [&](T& value) { describeValue(a, value); });
}

// The value where its type is T; `kind` counts the types.
template <class T, class Archive>
bool describeKind(Archive& a, any& value, std::int32_t wanted, std::int32_t kind) {
  if (wanted != kind) return false;
  const T* typed = value.get<T>();
  T copy = typed == nullptr ? T() : *typed;
  describeValue(a, copy);
  value = copy;
  return true;
}

std::int32_t kindOf(const any& value) {
  if (value.get<Attributes::Int>()) return 1;
  if (value.get<Attributes::Ints>()) return 2;
  if (value.get<Attributes::Float>()) return 3;
  if (value.get<Attributes::Floats>()) return 4;
  if (value.get<Attributes::String>()) return 5;
  return value.get<Attributes::Strings>() ? 6 : 0;
}

template <class Archive>
void describe(Archive& a, std::pair<std::string, any>& attribute) {
  a.text(attribute.first);
  any& value = attribute.second;
  std::int32_t kind = kindOf(value);
  a.number(kind);
  const bool known = describeKind<Attributes::Int>(a, value, kind, 1) ||
                     describeKind<Attributes::Ints>(a, value, kind, 2) ||
                     describeKind<Attributes::Float>(a, value, kind, 3) ||
                     describeKind<Attributes::Floats>(a, value, kind, 4) ||
                     describeKind<Attributes::String>(a, value, kind, 5) ||
                     describeKind<Attributes::Strings>(a, value, kind, 6);
  if (!known) throw error("model: attribute '{}': expected a known kind", attribute.first);
}

template <class Archive>
void describe(Archive& a, ModelNode& node) {
  a.text(node.opid.domain);
  a.text(node.opid.type);
  a.number(node.opid.version);
  a.text(node.name);
  std::vector<std::pair<std::string, any>> attributes(node.attributes.begin(),
                                                      node.attributes.end());
  a.list(attributes, std::pair<std::string, any>(),
         [&](std::pair<std::string, any>& attribute) { describe(a, attribute); });
  node.attributes = {attributes.begin(), attributes.end()};
  const auto id = [&](TensorId& tensor) { a.text(tensor); };
  a.list(node.inputs, TensorId(), id);
  a.list(node.outputs, TensorId(), id);
}

template <class Archive>
void describe(Archive& a, Model& model) {
  a.list(model.tensors, ModelTensor(), [&](ModelTensor& tensor) {
    a.text(tensor.id);
    describe(a, tensor.info);
    a.text(tensor.data);
    a.number(tensor.constant);
  });
  a.list(model.nodes, ModelNode{OperatorIdentifier("", "", 0), "", {}, {}, {}},
         [&](ModelNode& node) { describe(a, node); });
  a.list(model.outputs, TensorId(), [&](TensorId& id) { a.text(id); });
}

bool isModel(const std::string& bytes) { return bytes.compare(0, kLine, kMagic) == 0; }

std::uint64_t checksumOf(const std::string& bytes, std::size_t from) {
  return poplar::emulator::checksum(bytes.data() + from, bytes.size() - from);
}

void checkWhole(const std::string& bytes) {
  std::uint64_t written = 0;
  const bool whole = bytes.size() >= kHeading;
  if (whole) std::memcpy(&written, bytes.data() + kLine, sizeof written);
  if (!whole || written != checksumOf(bytes, kHeading))
    throw error(
        "model: expected the bytes that Builder::getModelProto gave, got other ones than their "
        "checksum tells");
}

}  // namespace

std::string serialize(const Model& model) {
  Writer writer;
  Model copy = model;
  describe(writer, copy);
  const std::uint64_t checksum = checksumOf(writer.bytes, 0);
  return kMagic + std::string(reinterpret_cast<const char*>(&checksum), sizeof checksum) +
         writer.bytes;
}

Model deserialize(const std::string& bytesOrFile) {
  std::string bytes = bytesOrFile;
  if (!isModel(bytes)) {
    std::ifstream file(bytesOrFile, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    bytes = content.str();
  }
  if (!isModel(bytes)) {
    throw error(
        "model: expected what Builder::getModelProto gave, or a file of it, got {} other bytes",
        bytesOrFile.size());
  }
  checkWhole(bytes);
  Reader reader(bytes);
  Model model;
  describe(reader, model);
  return model;
}

}  // namespace emulator
}  // namespace popart
