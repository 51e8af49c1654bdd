#ifndef popart_op_gru_hpp
#define popart_op_gru_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/rnnbase.hpp>

namespace popart {

class GRUOp : public BaseOnnxRNNOp {
 public:
  template <class... Args>
  explicit GRUOp(const Args&...)
      : BaseOnnxRNNOp(emulator::absent<const OperatorIdentifier>("popart::GRUOp")) {}
  static int getInitialHPassThroughIndex() { return 2; }
  static int getIntermediatesPassThroughIndex() { return 3; }
  static int getInputWeightsPassThroughIndex() { return 4; }
  static int getRecurrenceWeightsPassThroughIndex() { return 5; }
  static int getBiasesPassThroughIndex() { return 6; }
};

class GRUGradOp : public BaseOnnxRNNGradOp {
 public:
  template <class... Args>
  explicit GRUGradOp(const Args&...)
      : BaseOnnxRNNGradOp(emulator::absent<const OperatorIdentifier>("popart::GRUGradOp")) {}
  static int getIntermediatesInIndex() { return 9; }
};

}  // namespace popart

#endif  // popart_op_gru_hpp
