#ifndef popart_op_adamupdater_hpp
#define popart_op_adamupdater_hpp

#include <memory>
#include <popart/adam.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class AdamUpdaterOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AdamUpdaterOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AdamUpdaterOp")) {}
  AdamMode mode;
  const OptimizerValue initWd;
  const OptimizerValue initB1;
  const OptimizerValue initB2;
  const OptimizerValue initEps;
  static InIndex getVarInIndex() { return 0; }
  static InIndex getAccl1InIndex() { return 1; }
  static InIndex getAccl2InIndex() { return 2; }
  static InIndex getStepInIndex() { return 3; }
  static InIndex getWdInIndex() { return 4; }
  static InIndex getBeta1InIndex() { return 5; }
  static InIndex getBeta2InIndex() { return 6; }
  static InIndex getEpsInIndex() { return 7; }
  static OutIndex getUpdaterOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_adamupdater_hpp
