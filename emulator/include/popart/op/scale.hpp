#ifndef popart_op_scale_hpp
#define popart_op_scale_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class ScaleOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ScaleOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ScaleOp"),
                           emulator::absent<const Op::Settings>("popart::ScaleOp")) {}
};

class ScaleInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ScaleInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ScaleInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ScaleInplaceOp")) {}
};

class ScaleGradOp : public ScaleOp {
 public:
  template <class... Args>
  explicit ScaleGradOp(const Args&...)
      : ScaleOp(emulator::absent<const OperatorIdentifier>("popart::ScaleGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_scale_hpp
