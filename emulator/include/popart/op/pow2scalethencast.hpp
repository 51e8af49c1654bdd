#ifndef popart_op_pow2scalethencast_hpp
#define popart_op_pow2scalethencast_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class Pow2ScaleThenCastOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit Pow2ScaleThenCastOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::Pow2ScaleThenCastOp")) {}
  static int getInIndex() { return 0; }
  static int getlog2ScaleInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_pow2scalethencast_hpp
