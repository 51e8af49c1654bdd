#ifndef popart_op_rnnbase_hpp
#define popart_op_rnnbase_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class BaseOnnxRNNOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseOnnxRNNOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BaseOnnxRNNOp")) {}
  int64_t getMaxSeqLength() const { emulator::missing("popart::BaseOnnxRNNOp::getMaxSeqLength"); }
  int64_t getBatchSize() const { emulator::missing("popart::BaseOnnxRNNOp::getBatchSize"); }
  int64_t getInputSize() const { emulator::missing("popart::BaseOnnxRNNOp::getInputSize"); }
  int64_t getHiddenSize() const { emulator::missing("popart::BaseOnnxRNNOp::getHiddenSize"); }
  virtual int64_t getNumDirections() const {
    emulator::missing("popart::BaseOnnxRNNOp::getNumDirections");
  }
  void checkHiddenSize() const { emulator::missing("popart::BaseOnnxRNNOp::checkHiddenSize"); }
  bool hasBiasesInput() const { emulator::missing("popart::BaseOnnxRNNOp::hasBiasesInput"); }
  bool hasInitialHInput() const { emulator::missing("popart::BaseOnnxRNNOp::hasInitialHInput"); }
  bool hasSeqLenInput() const { emulator::missing("popart::BaseOnnxRNNOp::hasSeqLenInput"); }
  static InIndex getInputInIndex() { return 0; }
  static InIndex getInputWeightsInIndex() { return 1; }
  static InIndex getRecurrenceWeightsInIndex() { return 2; }
  static InIndex getBiasesInIndex() { return 3; }
  static InIndex getSequenceLensInIndex() { return 4; }
  static InIndex getInitialHInIndex() { return 5; }
  static OutIndex getFullHiddenStateOutIndex() { return 0; }
  static OutIndex getLastHiddenStateOutIndex() { return 1; }
  virtual std::string getName() const { return "RNNBase"; }
  nonstd::optional<int64_t> getHiddenSizeAttribute() const {
    emulator::missing("popart::BaseOnnxRNNOp::getHiddenSizeAttribute");
  }
};

class BaseOnnxRNNGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseOnnxRNNGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::BaseOnnxRNNGradOp")) {}
  bool hasLastHiddenStateGradInput() const {
    emulator::missing("popart::BaseOnnxRNNGradOp::hasLastHiddenStateGradInput");
  }
  bool hasFullHiddenStateGradInput() const {
    emulator::missing("popart::BaseOnnxRNNGradOp::hasFullHiddenStateGradInput");
  }
  static InIndex getInputInIndex() { return 0; }
  static InIndex getInputWeightsInIndex() { return 1; }
  static InIndex getRecurrenceWeightsInIndex() { return 2; }
  static InIndex getBiasesInIndex() { return 3; }
  static InIndex getInitialHInIndex() { return 4; }
  static InIndex getFullHiddenStateInIndex() { return 5; }
  static InIndex getLastHiddenStateGradInIndex() { return 6; }
  static InIndex getFullHiddenStateGradInIndex() { return 7; }
  static InIndex getSequenceLensInIndex() { return 8; }
  static OutIndex getInputOutIndex() { return 0; }
  static OutIndex getInputWeightsOutIndex() { return 1; }
  static OutIndex getRecurrenceWeightsOutIndex() { return 2; }
  static OutIndex getBiasesOutIndex() { return 3; }
  static OutIndex getInitialHOutIndex() { return 4; }
  const bool hasBiasesInput;
  const bool hasInitialHInput;
  const unsigned int batch_size;
  const unsigned int input_size;
  const unsigned int max_seq_length;
  const unsigned int hidden_size;
  const unsigned int num_directions = 1;

 protected:
  nonstd::optional<TensorInfo> getBiasInInfo(const BaseOnnxRNNOp&) {
    emulator::missing("popart::BaseOnnxRNNGradOp::getBiasInInfo");
  }
  nonstd::optional<TensorInfo> getInitialHInInfo(const BaseOnnxRNNOp&) {
    emulator::missing("popart::BaseOnnxRNNGradOp::getInitialHInInfo");
  }
  const TensorInfo fwdInputInInfo;
  const TensorInfo fwdInputWeightsInInfo;
  const TensorInfo fwdRecurrenceWeightsInInfo;
  const nonstd::optional<TensorInfo> fwdBiasInInfo;
  const nonstd::optional<TensorInfo> fwdInitialHInInfo;
  std::vector<GradInOutMapper> inInfoMapping;
  virtual void populateInInfo() { emulator::missing("popart::BaseOnnxRNNGradOp::populateInInfo"); }
};

}  // namespace popart

#endif  // popart_op_rnnbase_hpp
