#ifndef popart_op_logsoftmax_hpp
#define popart_op_logsoftmax_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class LogSoftmaxOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit LogSoftmaxOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::LogSoftmaxOp"),
                           emulator::absent<const Op::Settings>("popart::LogSoftmaxOp")) {}
};

class LogSoftmaxInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit LogSoftmaxInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::LogSoftmaxInplaceOp"),
            emulator::absent<const Op::Settings>("popart::LogSoftmaxInplaceOp")) {}
};

class LogSoftmaxGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LogSoftmaxGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LogSoftmaxGradOp")) {
  }
  static int getGradProbsInIndex() { return 0; }
  static int getActsInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_logsoftmax_hpp
