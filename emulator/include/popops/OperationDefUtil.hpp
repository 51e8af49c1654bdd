#ifndef popops_OperationDefUtil_hpp
#define popops_OperationDefUtil_hpp

#include <popops/Operation.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace poputil {

/// An operation in words: "Logical And".
const char* asString(const popops::Operation& op);

template <>
struct VertexTemplateToString<popops::Operation> {
  static std::string to_string(const popops::Operation& op);
};

}  // namespace poputil

#endif  // popops_OperationDefUtil_hpp
