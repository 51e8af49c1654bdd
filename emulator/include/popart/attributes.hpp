#ifndef popart_attributes_hpp
#define popart_attributes_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/names.hpp>
#include <popart/vendored/any.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace popart {

/// The attributes that an operator is made with.
class Attributes {
 public:
  using Ints = std::vector<std::int64_t>;
  using Int = std::int64_t;
  using Floats = std::vector<float>;
  using Float = float;
  using Strings = std::vector<std::string>;
  using String = std::string;

  Attributes();
  /// Of values of the types above. Throws `error` for a value of another type.
  explicit Attributes(const std::map<std::string, any>& values);

  const std::vector<std::string>& getNames() const { return names_; }
  bool hasAttribute(const std::string& key) const { return values_.count(key) > 0; }
  void takeAttribute(const std::string& key, const Attributes& attributes);
  void append(std::stringstream& out, std::string prefix = "") const;

  template <class UnaryPredicate>
  Attributes filter(UnaryPredicate wanted) const {
    Attributes out;
    for (const std::string& name : names_)
      if (wanted(name)) out.takeAttribute(name, *this);
    return out;
  }

  /// The value of a key. Without the key: the default, or `error` where there is none. A value of
  /// another type than T reads as 0, "" or an empty list, as in ONNX, and an empty string as none;
  /// such keys are in `misread`.
  template <class T>
  T getAttribute(const std::string& key, const T& defaultValue) const;
  template <class T>
  T getAttribute(const std::string& key) const;
  template <class T>
  void setIfPresent(T& value, const std::string& key) const;
  template <class T>
  void set(T& value, const std::string& key) const;
  template <class T>
  void setAttribute(const std::string& key, T& value);

  /// The emulator's own: what was read as another type than it has, as sentences.
  const std::vector<std::string>& misread() const { return *misread_; }
  /// The emulator's own: the values, each of one of the types above.
  const std::map<std::string, any>& values() const { return values_; }
  /// The emulator's own: a text that is the same for the same attributes alone.
  std::string key() const;

 private:
  template <class T>
  bool read(T& value, const std::string& key) const;

  std::map<std::string, any> values_;
  std::vector<std::string> names_;
  std::shared_ptr<std::vector<std::string>> misread_;  // shared by copies
};

bool checkedIntToBool(std::int64_t value);

}  // namespace popart

#endif  // popart_attributes_hpp
