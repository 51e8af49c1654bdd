#ifndef popart_op_lossscaleupdate_hpp
#define popart_op_lossscaleupdate_hpp

#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class LossScaleUpdateOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LossScaleUpdateOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::LossScaleUpdateOp")) {}
  static InIndex getLossScaleUpdateFactorInIndex() { return 0; }
  static InIndex getStatisticsTensorInIndex() { return 1; }
  static OutIndex getUpdatedLossScaleUpdateFactorOutIndex() { return 0; }
  DataType getUpdateFactorDType() const {
    emulator::missing("popart::LossScaleUpdateOp::getUpdateFactorDType");
  }
};

}  // namespace popart

#endif  // popart_op_lossscaleupdate_hpp
