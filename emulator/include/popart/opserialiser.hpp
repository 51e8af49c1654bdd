#ifndef popart_opserialiser_hpp
#define popart_opserialiser_hpp

#include <cstdint>
#include <popart/basicoptionals.hpp>
#include <popart/names.hpp>
#include <popart/vendored/optional.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace popart {

class Op;
class Scope;

/// Takes the attributes that an op appends.
class OpSerialiserBase {
 public:
  virtual ~OpSerialiserBase() {}
  void appendAttribute(const std::string& key, float value);
  void appendAttribute(const std::string& key, double value);
  void appendAttribute(const std::string& key, int value);
  void appendAttribute(const std::string& key, std::int64_t value);
  void appendAttribute(const std::string& key, std::uint32_t value);
  void appendAttribute(const std::string& key, std::uint64_t value);
  void appendAttribute(const std::string& key, bool value);
  void appendAttribute(const std::string& key, const std::string& value);
  void appendAttribute(const std::string& key, const std::vector<float>& values);
  void appendAttribute(const std::string& key, const std::vector<double>& values);
  void appendAttribute(const std::string& key, const std::vector<std::int64_t>& values);
  void appendAttribute(const std::string& key, const Scope& value);
  template <class T>
  void appendAttribute(const std::string& key, const nonstd::optional<T>& value) {
    if (value)
      appendAttribute(key, *value);
    else
      appendStrAttr(key, "?");
  }
  template <class T, std::uint32_t V>
  void appendAttribute(const std::string& key, const BasicOptional<T, V>& value) {
    appendStreamed(key, value);
  }
  /// Of anything that streams take.
  template <class T>
  void appendAttribute(const std::string& key, const T& value) {
    appendStreamed(key, value);
  }
  virtual void appendForwardOp(const Op* op) = 0;

 private:
  template <class T>
  void appendStreamed(const std::string& key, const T& value) {
    std::ostringstream text;
    text << value;
    appendStrAttr(key, text.str());
  }
  virtual void appendStrAttr(const std::string& key, const std::string& value) = 0;
};

/// Writes an op's name, tensors and attributes as text.
class OpSerialiser : public OpSerialiserBase {
 public:
  OpSerialiser(const Op* op, std::stringstream& out);
  void appendForwardOp(const Op* op) override;

 private:
  void appendStrAttr(const std::string& key, const std::string& value) override;
  std::stringstream& out_;
};

}  // namespace popart

#endif  // popart_opserialiser_hpp
