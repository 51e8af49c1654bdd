#ifndef popart_domainopset_hpp
#define popart_domainopset_hpp

#include <map>
#include <popart/debugcontext.hpp>
#include <popart/names.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/vendored/any.hpp>
#include <popart/vendored/optional.hpp>
#include <popart/voiddata.hpp>
#include <string>
#include <vector>

namespace popart {

class Builder;

namespace emulator {

/// An attribute that a method of an opset passes on; one without a value is left out.
struct GivenAttribute {
  GivenAttribute(const char* name_, std::int64_t number) : name(name_), value(number) {}
  GivenAttribute(const char* name_, float number) : name(name_), value(number) {}
  GivenAttribute(const char* name_, const std::string& text) : name(name_), value(text) {}
  GivenAttribute(const char* name_, const char* text) : name(name_), value(std::string(text)) {}
  template <class T>
  GivenAttribute(const char* name_, const std::vector<T>& values)
      : name(name_), value(values), given(!values.empty()) {}
  template <class T>
  GivenAttribute(const char* name_, const nonstd::optional<T>& optional)
      : GivenAttribute(name_, optional ? *optional : T()) {
    given = optional.has_value();
  }
  std::string name;
  any value;
  bool given = true;
};

}  // namespace emulator

/// The operators of a domain as methods, which add them to a model. A method whose operator the
/// emulation does not have throws `error`.
class DomainOpSet {
 public:
  explicit DomainOpSet(Builder& builder) : builder_(builder) {}
  virtual ~DomainOpSet() = default;
  virtual int getOpsetVersion() const = 0;

 protected:
  std::vector<TensorId> call(const OperatorIdentifier& opid, const char* method,
                             const std::vector<TensorId>& args, unsigned numOutputs,
                             const std::vector<emulator::GivenAttribute>& attributes,
                             const DebugContext& debugContext);
  TensorId addConstant(const ConstVoidData& data, const DebugContext& debugContext);
  [[noreturn]] static void absent(const char* method);

  Builder& builder_;
};

}  // namespace popart

#endif  // popart_domainopset_hpp
