// The part of ONNX's header that libraries of custom operators say their schemas with, for those
// that do as PopART's user guide shows. Nothing here reads schemas.
#ifndef onnx_defs_schema_h
#define onnx_defs_schema_h

#include <functional>
#include <string>
#include <vector>

#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif

namespace ONNX_NAMESPACE {

struct InferenceContext {};
using InferenceFunction = std::function<void(InferenceContext&)>;

class OpSchema {
 public:
  enum FormalParameterOption { Single = 0, Optional, Variadic };
  enum UseType { DEFAULT, CONSUME_ALLOWED, CONSUME_ENFORCED };

  OpSchema& SetName(std::string) { return *this; }
  OpSchema& SetDomain(std::string) { return *this; }
  OpSchema& SetDoc(const std::string&) { return *this; }
  OpSchema& SinceVersion(int) { return *this; }
  OpSchema& SetLocation(std::string, int) { return *this; }
  template <class... Args>
  OpSchema& Input(int, const Args&...) {
    return *this;
  }
  template <class... Args>
  OpSchema& Output(int, const Args&...) {
    return *this;
  }
  template <class... Args>
  OpSchema& Attr(const Args&...) {
    return *this;
  }
  OpSchema& TypeConstraint(std::string, std::vector<std::string>, std::string) { return *this; }
  OpSchema& TypeAndShapeInferenceFunction(InferenceFunction) { return *this; }
};

class OpSchemaRegistry {
 public:
  class DomainToVersionRange {
   public:
    static DomainToVersionRange& Instance() {
      static DomainToVersionRange ranges;
      return ranges;
    }
    void AddDomainToVersion(const std::string&, int, int) {}
  };
};

inline void RegisterSchema(OpSchema&&) {}

template <class T>
OpSchema GetOpSchema();

}  // namespace ONNX_NAMESPACE

#define ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(domain, version, name) name##_##domain##_ver##version
#define ONNX_OPERATOR_SET_SCHEMA_EX(name, domain, domain_text, version, debug_check, schema) \
  class ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(domain, version, name);                          \
  template <>                                                                                \
  OpSchema GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(domain, version, name)>() {       \
    return (schema).SetName(#name).SetDomain(domain_text).SinceVersion(version);             \
  }

#endif  // onnx_defs_schema_h
