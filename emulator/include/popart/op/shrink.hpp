#ifndef popart_op_shrink_hpp
#define popart_op_shrink_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ShrinkOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ShrinkOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ShrinkOp"),
                           emulator::absent<const Op::Settings>("popart::ShrinkOp")) {}
  float lambd() const { emulator::missing("popart::ShrinkOp::lambd"); }
  float bias() const { emulator::missing("popart::ShrinkOp::bias"); }
};

class ShrinkInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ShrinkInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ShrinkInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ShrinkInplaceOp")) {}
  float lambd() const { emulator::missing("popart::ShrinkInplaceOp::lambd"); }
  float bias() const { emulator::missing("popart::ShrinkInplaceOp::bias"); }
};

class ShrinkGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit ShrinkGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::ShrinkGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::ShrinkGradOp")) {}
  float lambd() const { emulator::missing("popart::ShrinkGradOp::lambd"); }
  float bias() const { emulator::missing("popart::ShrinkGradOp::bias"); }
};

}  // namespace popart

#endif  // popart_op_shrink_hpp
