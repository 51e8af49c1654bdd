#ifndef popart_op_incrementmod_hpp
#define popart_op_incrementmod_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class IncrementModOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit IncrementModOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::IncrementModOp"),
                           emulator::absent<const Op::Settings>("popart::IncrementModOp")) {}
};

class IncrementModInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit IncrementModInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::IncrementModInplaceOp"),
            emulator::absent<const Op::Settings>("popart::IncrementModInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_incrementmod_hpp
