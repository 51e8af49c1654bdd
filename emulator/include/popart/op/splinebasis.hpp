#ifndef popart_op_splinebasis_hpp
#define popart_op_splinebasis_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SplineBasisOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplineBasisOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SplineBasisOp")) {}
};

}  // namespace popart

#endif  // popart_op_splinebasis_hpp
