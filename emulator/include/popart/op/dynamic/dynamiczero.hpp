#ifndef popart_op_dynamic_dynamiczero_hpp
#define popart_op_dynamic_dynamiczero_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/dynamic/dynamicbase.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DynamicZeroOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicZeroOp(const Args&...)
      : DynamicBinaryBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicZeroOp")) {}
};

class DynamicZeroGradOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicZeroGradOp(const Args&...)
      : DynamicBinaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicZeroGradOp")) {}
};

class DynamicZeroInplaceOp : public DynamicBinaryBaseInplaceOp {
 public:
  template <class... Args>
  explicit DynamicZeroInplaceOp(const Args&...)
      : DynamicBinaryBaseInplaceOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicZeroInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamiczero_hpp
