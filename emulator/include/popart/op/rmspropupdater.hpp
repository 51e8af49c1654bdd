#ifndef popart_op_rmspropupdater_hpp
#define popart_op_rmspropupdater_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class RMSPropUpdaterOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RMSPropUpdaterOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RMSPropUpdaterOp")) {
  }
  const OptimizerValue initEps;
  static InIndex getGradInIndex() { return 0; }
  static InIndex getAccl1InIndex() { return 1; }
  static InIndex getAccl2InIndex() { return 2; }
  static InIndex getEpsInIndex() { return 3; }
  static OutIndex getUpdaterOutIndex() { return 0; }
  const bool TFVariant;
};

}  // namespace popart

#endif  // popart_op_rmspropupdater_hpp
