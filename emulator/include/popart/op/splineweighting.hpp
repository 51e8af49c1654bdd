#ifndef popart_op_splineweighting_hpp
#define popart_op_splineweighting_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SplineWeightingOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplineWeightingOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::SplineWeightingOp")) {}
};

}  // namespace popart

#endif  // popart_op_splineweighting_hpp
