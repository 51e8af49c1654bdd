#ifndef popart_op_rnnbase_hpp
#define popart_op_rnnbase_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class BaseOnnxRNNOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseOnnxRNNOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BaseOnnxRNNOp")) {}
  static int getInputInIndex() { return 0; }
  static int getInputWeightsInIndex() { return 1; }
  static int getRecurrenceWeightsInIndex() { return 2; }
  static int getBiasesInIndex() { return 3; }
  static int getSequenceLensInIndex() { return 4; }
  static int getInitialHInIndex() { return 5; }
  static int getFullHiddenStateOutIndex() { return 0; }
  static int getLastHiddenStateOutIndex() { return 1; }
};

class BaseOnnxRNNGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseOnnxRNNGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::BaseOnnxRNNGradOp")) {}
  static int getInputInIndex() { return 0; }
  static int getInputWeightsInIndex() { return 1; }
  static int getRecurrenceWeightsInIndex() { return 2; }
  static int getBiasesInIndex() { return 3; }
  static int getInitialHInIndex() { return 4; }
  static int getFullHiddenStateInIndex() { return 5; }
  static int getLastHiddenStateGradInIndex() { return 6; }
  static int getFullHiddenStateGradInIndex() { return 7; }
  static int getSequenceLensInIndex() { return 8; }
  static int getInputOutIndex() { return 0; }
  static int getInputWeightsOutIndex() { return 1; }
  static int getRecurrenceWeightsOutIndex() { return 2; }
  static int getBiasesOutIndex() { return 3; }
  static int getInitialHOutIndex() { return 4; }
};

}  // namespace popart

#endif  // popart_op_rnnbase_hpp
