#ifndef popart_op_lossscaleupdate_hpp
#define popart_op_lossscaleupdate_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class LossScaleUpdateOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LossScaleUpdateOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::LossScaleUpdateOp")) {}
  static int getLossScaleUpdateFactorInIndex() { return 0; }
  static int getStatisticsTensorInIndex() { return 1; }
  static int getUpdatedLossScaleUpdateFactorOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_lossscaleupdate_hpp
