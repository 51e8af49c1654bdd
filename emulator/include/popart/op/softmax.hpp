#ifndef popart_op_softmax_hpp
#define popart_op_softmax_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class SoftmaxOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SoftmaxOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SoftmaxOp"),
                           emulator::absent<const Op::Settings>("popart::SoftmaxOp")) {}
};

class SoftmaxInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SoftmaxInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SoftmaxInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SoftmaxInplaceOp")) {}
};

class SoftmaxGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SoftmaxGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SoftmaxGradOp")) {}
  static int getGradProbsInIndex() { return 0; }
  static int getProbsInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class SoftmaxGradDirectOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SoftmaxGradDirectOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::SoftmaxGradDirectOp")) {}
  static int getProbsInIndex() { return 0; }
  static int getLabelInIndex() { return 1; }
  static int getGradProbsInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

class NlllWithSoftmaxGradDirectOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit NlllWithSoftmaxGradDirectOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::NlllWithSoftmaxGradDirectOp")) {}
  static int getProbsInIndex() { return 0; }
  static int getLabelInIndex() { return 1; }
  static int getGradProbsInIndex() { return 2; }
  static int getLossOutIndex() { return 0; }
  static int getGradOutIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_softmax_hpp
