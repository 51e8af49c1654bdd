#ifndef popart_op_lstm_hpp
#define popart_op_lstm_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/rnnbase.hpp>

namespace popart {

class LSTMOp : public BaseOnnxRNNOp {
 public:
  template <class... Args>
  explicit LSTMOp(const Args&...)
      : BaseOnnxRNNOp(emulator::absent<const OperatorIdentifier>("popart::LSTMOp")) {}
  static int getInitialCInIndex() { return 6; }
  static int getPeepholeInIndex() { return 7; }
  static int getLastCellStateOutIndex() { return 2; }
  static int getInitialHPassThroughIndex() { return 3; }
  static int getInitialCPassThroughIndex() { return 4; }
  static int getIntermediatesPassThroughIndex() { return 5; }
  static int getInputWeightsPassThroughIndex() { return 6; }
  static int getRecurrenceWeightsPassThroughIndex() { return 7; }
  static int getBiasesPassThroughIndex() { return 8; }
};

class LSTMGradOp : public BaseOnnxRNNGradOp {
 public:
  template <class... Args>
  explicit LSTMGradOp(const Args&...)
      : BaseOnnxRNNGradOp(emulator::absent<const OperatorIdentifier>("popart::LSTMGradOp")) {}
  static int getInitialCInIndex() { return 9; }
  static int getIntermediatesInIndex() { return 10; }
  static int getLastCellStateGradInIndex() { return 11; }
  static int getInitialCOutIndex() { return 5; }
};

class PopartLSTMOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PopartLSTMOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::PopartLSTMOp")) {}
  static int getInputInIndex() { return 0; }
  static int getWeightsInIndex() { return 1; }
  static int getBiasesInIndex() { return 2; }
  static int getInitialStateInIndex() { return 3; }
  static int getSequenceLensInIndex() { return 4; }
  static int getOutputOutIndex() { return 0; }
  static int getCellStateOutIndex() { return 1; }
  static int getIntermediatesOutIndex() { return 2; }
};

class PopartLSTMGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PopartLSTMGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::PopartLSTMGradOp")) {
  }
  static int getInitialStateInIndex() { return 0; }
  static int getIntermediatesInIndex() { return 1; }
  static int getWeightsInIndex() { return 2; }
  static int getBiasesInIndex() { return 3; }
  static int getSequenceLensInIndex() { return 4; }
  static int getInputInIndex() { return 5; }
  static int getFwdOutputInIndex() { return 6; }
  static int getFwdOutputGradInIndex() { return 7; }
  static int getFwdCellStateGradInIndex() { return 8; }
  static int getInputOutIndex() { return 0; }
  static int getWeightsOutIndex() { return 1; }
  static int getBiasesOutIndex() { return 2; }
  static int getInitialStateOutIndex() { return 3; }
};

}  // namespace popart

#endif  // popart_op_lstm_hpp
