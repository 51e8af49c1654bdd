#ifndef popart_op_gru_hpp
#define popart_op_gru_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/rnnbase.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GRUOp : public BaseOnnxRNNOp {
 public:
  template <class... Args>
  explicit GRUOp(const Args&...)
      : BaseOnnxRNNOp(emulator::absent<const OperatorIdentifier>("popart::GRUOp")) {}
  unsigned int getNumChannels() const { emulator::missing("popart::GRUOp::getNumChannels"); }
  virtual int64_t getNumDirections() const { emulator::missing("popart::GRUOp::getNumDirections"); }
  bool hasOutput(OutIndex) const { emulator::missing("popart::GRUOp::hasOutput"); }
  bool isTraining() const { emulator::missing("popart::GRUOp::isTraining"); }
  static OutIndex getInitialHPassThroughIndex() { return 2; }
  static OutIndex getIntermediatesPassThroughIndex() { return 3; }
  static OutIndex getInputWeightsPassThroughIndex() { return 4; }
  static OutIndex getRecurrenceWeightsPassThroughIndex() { return 5; }
  static OutIndex getBiasesPassThroughIndex() { return 6; }
  std::string getDirectionAttribute() const {
    emulator::missing("popart::GRUOp::getDirectionAttribute");
  }
  int getLinearBeforeResetAttribute() const {
    emulator::missing("popart::GRUOp::getLinearBeforeResetAttribute");
  }
};

class GRUGradOp : public BaseOnnxRNNGradOp {
 public:
  template <class... Args>
  explicit GRUGradOp(const Args&...)
      : BaseOnnxRNNGradOp(emulator::absent<const OperatorIdentifier>("popart::GRUGradOp")) {}
  static InIndex getIntermediatesInIndex() { return 9; }
  const unsigned int linear_before_reset_attribute;

 private:
  virtual void populateInInfo() { emulator::missing("popart::GRUGradOp::populateInInfo"); }
};

}  // namespace popart

#endif  // popart_op_gru_hpp
