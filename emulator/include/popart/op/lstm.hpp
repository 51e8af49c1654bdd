#ifndef popart_op_lstm_hpp
#define popart_op_lstm_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/lstmutil.hpp>
#include <popart/op/rnnbase.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class LSTMOp : public BaseOnnxRNNOp {
 public:
  template <class... Args>
  explicit LSTMOp(const Args&...)
      : BaseOnnxRNNOp(emulator::absent<const OperatorIdentifier>("popart::LSTMOp")) {}
  unsigned int getNumChannels() const { emulator::missing("popart::LSTMOp::getNumChannels"); }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::LSTMOp::getAvailableMemoryProportion");
  }
  bool hasInitialCInput() const { emulator::missing("popart::LSTMOp::hasInitialCInput"); }
  bool hasOutput(OutIndex) const { emulator::missing("popart::LSTMOp::hasOutput"); }
  bool isTraining() const { emulator::missing("popart::LSTMOp::isTraining"); }
  static InIndex getInitialCInIndex() { return 6; }
  static InIndex getPeepholeInIndex() { return 7; }
  static OutIndex getLastCellStateOutIndex() { return 2; }
  static OutIndex getInitialHPassThroughIndex() { return 3; }
  static OutIndex getInitialCPassThroughIndex() { return 4; }
  static OutIndex getIntermediatesPassThroughIndex() { return 5; }
  static OutIndex getInputWeightsPassThroughIndex() { return 6; }
  static OutIndex getRecurrenceWeightsPassThroughIndex() { return 7; }
  static OutIndex getBiasesPassThroughIndex() { return 8; }
  ActivationFunction getActivation() const { emulator::missing("popart::LSTMOp::getActivation"); }
  ActivationFunction getRecurrentActivation() const {
    emulator::missing("popart::LSTMOp::getRecurrentActivation");
  }
};

class LSTMGradOp : public BaseOnnxRNNGradOp {
 public:
  template <class... Args>
  explicit LSTMGradOp(const Args&...)
      : BaseOnnxRNNGradOp(emulator::absent<const OperatorIdentifier>("popart::LSTMGradOp")) {}
  bool hasLastCellStateGradInput() const {
    emulator::missing("popart::LSTMGradOp::hasLastCellStateGradInput");
  }
  static InIndex getInitialCInIndex() { return 9; }
  static InIndex getIntermediatesInIndex() { return 10; }
  static InIndex getLastCellStateGradInIndex() { return 11; }
  static OutIndex getInitialCOutIndex() { return 5; }
  const bool hasInitialCInput;
  const std::string fwd_debug_name;
  const ActivationFunction activation;
  const ActivationFunction recurrent_activation;

 private:
  virtual void populateInInfo() { emulator::missing("popart::LSTMGradOp::populateInInfo"); }
};

class PopartLSTMOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PopartLSTMOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::PopartLSTMOp")) {}
  bool hasBiasesInput() const { emulator::missing("popart::PopartLSTMOp::hasBiasesInput"); }
  static InIndex getInputInIndex() { return 0; }
  static InIndex getWeightsInIndex() { return 1; }
  static InIndex getBiasesInIndex() { return 2; }
  static InIndex getInitialStateInIndex() { return 3; }
  static InIndex getSequenceLensInIndex() { return 4; }
  static OutIndex getOutputOutIndex() { return 0; }
  static OutIndex getCellStateOutIndex() { return 1; }
  static OutIndex getIntermediatesOutIndex() { return 2; }
  bool hasSeqLenInput() const { emulator::missing("popart::PopartLSTMOp::hasSeqLenInput"); }
  int64_t getMaxSeqLength() const { emulator::missing("popart::PopartLSTMOp::getMaxSeqLength"); }
  int64_t getBatchSize() const { emulator::missing("popart::PopartLSTMOp::getBatchSize"); }
  int64_t getInputSize() const { emulator::missing("popart::PopartLSTMOp::getInputSize"); }
  int64_t getHiddenSize() const { emulator::missing("popart::PopartLSTMOp::getHiddenSize"); }
  int64_t getNumIntermediates() const {
    emulator::missing("popart::PopartLSTMOp::getNumIntermediates");
  }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::PopartLSTMOp::getAvailableMemoryProportion");
  }
  ActivationFunction getActivation() const {
    emulator::missing("popart::PopartLSTMOp::getActivation");
  }
  ActivationFunction getRecurrentActivation() const {
    emulator::missing("popart::PopartLSTMOp::getRecurrentActivation");
  }
  const bool outputFullSequence;
};

class PopartLSTMGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PopartLSTMGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::PopartLSTMGradOp")) {
  }
  int64_t getInputSize() const { emulator::missing("popart::PopartLSTMGradOp::getInputSize"); }
  int64_t getMaxSeqLength() const {
    emulator::missing("popart::PopartLSTMGradOp::getMaxSeqLength");
  }
  int64_t getBatchSize() const { emulator::missing("popart::PopartLSTMGradOp::getBatchSize"); }
  int64_t getHiddenSize() const { emulator::missing("popart::PopartLSTMGradOp::getHiddenSize"); }
  static InIndex getInitialStateInIndex() { return 0; }
  static InIndex getIntermediatesInIndex() { return 1; }
  static InIndex getWeightsInIndex() { return 2; }
  static InIndex getBiasesInIndex() { return 3; }
  static InIndex getSequenceLensInIndex() { return 4; }
  static InIndex getInputInIndex() { return 5; }
  static InIndex getFwdOutputInIndex() { return 6; }
  static InIndex getFwdOutputGradInIndex() { return 7; }
  static InIndex getFwdCellStateGradInIndex() { return 8; }
  static OutIndex getInputOutIndex() { return 0; }
  static OutIndex getWeightsOutIndex() { return 1; }
  static OutIndex getBiasesOutIndex() { return 2; }
  static OutIndex getInitialStateOutIndex() { return 3; }
  ActivationFunction getActivation() const {
    emulator::missing("popart::PopartLSTMGradOp::getActivation");
  }
  ActivationFunction getRecurrentActivation() const {
    emulator::missing("popart::PopartLSTMGradOp::getRecurrentActivation");
  }
  const bool outputFullSequence;
};

}  // namespace popart

#endif  // popart_op_lstm_hpp
