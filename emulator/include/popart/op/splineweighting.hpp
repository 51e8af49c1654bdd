#ifndef popart_op_splineweighting_hpp
#define popart_op_splineweighting_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>

namespace popart {

class SplineWeightingOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplineWeightingOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::SplineWeightingOp")) {}
  static InIndex inputIndex() { return 0; }
  static InIndex weightIndex() { return 1; }
  static InIndex basisIndex() { return 2; }
  static InIndex weightIndexIndex() { return 3; }
  static OutIndex outputIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_splineweighting_hpp
