#include <popart/op.hpp>
#include <popart/opserialiser.hpp>
#include <popart/scope.hpp>
#include <popart/util.hpp>

namespace popart {

namespace {

template <class T>
std::string listText(const std::vector<T>& values) {
  std::ostringstream out;
  appendSequence(out, values);
  return out.str();
}

}  // namespace

void OpSerialiserBase::appendAttribute(const std::string& key, float value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, double value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, int value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, std::int64_t value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, std::uint32_t value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, std::uint64_t value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, bool value) {
  appendStreamed(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, const std::string& value) {
  appendStrAttr(key, value);
}
void OpSerialiserBase::appendAttribute(const std::string& key, const std::vector<float>& values) {
  appendStrAttr(key, listText(values));
}
void OpSerialiserBase::appendAttribute(const std::string& key, const std::vector<double>& values) {
  appendStrAttr(key, listText(values));
}
void OpSerialiserBase::appendAttribute(const std::string& key,
                                       const std::vector<std::int64_t>& values) {
  appendStrAttr(key, listText(values));
}
void OpSerialiserBase::appendAttribute(const std::string& key, const Scope& value) {
  appendStrAttr(key, value.str());
}

OpSerialiser::OpSerialiser(const Op* op, std::stringstream& out) : out_(out) {
  out_ << op->debugName() << '\n';
}

void OpSerialiser::appendForwardOp(const Op* op) { appendStrAttr("forward", op->debugName()); }

void OpSerialiser::appendStrAttr(const std::string& key, const std::string& value) {
  out_ << key << ": " << value << '\n';
}

}  // namespace popart
