#ifndef popart_op_conv_hpp
#define popart_op_conv_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/convbase.hpp>

namespace popart {

class ConvOp : public MultiConvBaseOp {
 public:
  template <class... Args>
  explicit ConvOp(const Args&...)
      : MultiConvBaseOp(emulator::absent<const OperatorIdentifier>("popart::ConvOp")) {}
};

class ConvWeightsGradOp : public MultiConvWeightsGradBaseOp {
 public:
  template <class... Args>
  explicit ConvWeightsGradOp(const Args&...)
      : MultiConvWeightsGradBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvWeightsGradOp")) {}
};

class ConvFlipWeightsOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConvFlipWeightsOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvFlipWeightsOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class ConvFlipWeightsGradOp : public ConvFlipWeightsOp {
 public:
  template <class... Args>
  explicit ConvFlipWeightsGradOp(const Args&...)
      : ConvFlipWeightsOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvFlipWeightsGradOp")) {}
};

class ConvDataGradOp : public MultiConvDataGradBaseOp {
 public:
  template <class... Args>
  explicit ConvDataGradOp(const Args&...)
      : MultiConvDataGradBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvDataGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_conv_hpp
