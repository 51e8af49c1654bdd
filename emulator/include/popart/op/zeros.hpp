#ifndef popart_op_zeros_hpp
#define popart_op_zeros_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/shapeorlike.hpp>

namespace popart {

class ZerosBaseOp : public ShapeOrLikeOp {
 public:
  template <class... Args>
  explicit ZerosBaseOp(const Args&...)
      : ShapeOrLikeOp(emulator::absent<const OperatorIdentifier>("popart::ZerosBaseOp")) {}
};

class ZerosOp : public ZerosBaseOp {
 public:
  template <class... Args>
  explicit ZerosOp(const Args&...)
      : ZerosBaseOp(emulator::absent<const OperatorIdentifier>("popart::ZerosOp")) {}
};

class ZerosLikeOp : public ZerosBaseOp {
 public:
  template <class... Args>
  explicit ZerosLikeOp(const Args&...)
      : ZerosBaseOp(emulator::absent<const OperatorIdentifier>("popart::ZerosLikeOp")) {}
  static int getInIndex() { return 0; }
};

class UnaryZeroGradOp : public ZerosLikeOp {
 public:
  template <class... Args>
  explicit UnaryZeroGradOp(const Args&...)
      : ZerosLikeOp(emulator::absent<const OperatorIdentifier>("popart::UnaryZeroGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_zeros_hpp
