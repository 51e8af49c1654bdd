#ifndef popart_op_splinebasis_hpp
#define popart_op_splinebasis_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>

namespace popart {

class SplineBasisOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplineBasisOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SplineBasisOp")) {}
  static InIndex pseudoIndex() { return 0; }
  static InIndex kernelSizeIndex() { return 1; }
  static InIndex isOpenSplineIndex() { return 2; }
  static OutIndex outBasisIndex() { return 0; }
  static OutIndex outWeightIndexIndex() { return 1; }
  unsigned int getDegree() const { emulator::missing("popart::SplineBasisOp::getDegree"); }
};

}  // namespace popart

#endif  // popart_op_splinebasis_hpp
