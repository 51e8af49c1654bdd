#ifndef popart_op_dynamic_dynamicadd_hpp
#define popart_op_dynamic_dynamicadd_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/dynamic/dynamicbase.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DynamicAddOp : public DynamicTernaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicAddOp(const Args&...)
      : DynamicTernaryBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicAddOp")) {}
};

class DynamicAddInplaceOp : public DynamicTernaryBaseInplaceOp {
 public:
  template <class... Args>
  explicit DynamicAddInplaceOp(const Args&...)
      : DynamicTernaryBaseInplaceOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicAddInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamicadd_hpp
