#ifndef popart_op_ctc_hpp
#define popart_op_ctc_hpp

#include <map>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/loss.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class CtcOp : public LossOp {
 public:
  template <class... Args>
  explicit CtcOp(const Args&...)
      : LossOp(emulator::absent<const OperatorIdentifier>("popart::CtcOp"),
               emulator::absent<const Op::Settings>("popart::CtcOp"),
               emulator::absent<ReductionType>("popart::CtcOp")) {}
  static InIndex getLogProbsInIndex() { return 0; }
  static InIndex getTargetsInIndex() { return 1; }
  static InIndex getInputLengthsInIndex() { return 2; }
  static InIndex getTargetLengthsInIndex() { return 3; }
  static OutIndex getCtcLossOutIndex() { return 0; }
  static OutIndex getLogProbsGradientWrtCtcLossOutIndex() { return 1; }
  unsigned int getBlank() const { emulator::missing("popart::CtcOp::getBlank"); }
  bool getZeroInfinity() const { emulator::missing("popart::CtcOp::getZeroInfinity"); }
  unsigned int getBatchSize() const { emulator::missing("popart::CtcOp::getBatchSize"); }
  unsigned int getMaxInputLength() const { emulator::missing("popart::CtcOp::getMaxInputLength"); }
  unsigned int getMaxTargetLength() const {
    emulator::missing("popart::CtcOp::getMaxTargetLength");
  }
  unsigned int getNumClasses() const { emulator::missing("popart::CtcOp::getNumClasses"); }
  bool getEnableReducedClassesInLabel() const {
    emulator::missing("popart::CtcOp::getEnableReducedClassesInLabel");
  }
};

class CtcGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CtcGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CtcGradOp")) {}
  static InIndex getLogProbsGradientWrtCtcLossInIndex() { return 0; }
  static InIndex getTargetLengthsInIndex() { return 1; }
  static InIndex getCtcLossGradientInIndex() { return 2; }
  static OutIndex getLogProbsGradientOutIndex() { return 0; }
  ReductionType getReductionType() const {
    emulator::missing("popart::CtcGradOp::getReductionType");
  }
  bool getEnableReducedClassesInLabel() const {
    emulator::missing("popart::CtcGradOp::getEnableReducedClassesInLabel");
  }
};

}  // namespace popart

#endif  // popart_op_ctc_hpp
