// PopXL, whose operators these functions bind to Python, is not emulated: a call says so.
#ifndef popart_op_custom_parameterizedopbinder_hpp
#define popart_op_custom_parameterizedopbinder_hpp

#include <popart/error.hpp>
#include <popart/op/custom/parameterizedop.hpp>
#include <string>

namespace popart {
namespace ir {
namespace op {

template <class OP, class MODULE>
int makeParameterizedOpBindings(const MODULE&, const char* name) {
  throw error("makeParameterizedOpBindings: '{}': expected PopXL, which is not emulated",
              std::string(name));
}

}  // namespace op
}  // namespace ir
}  // namespace popart

#endif  // popart_op_custom_parameterizedopbinder_hpp
