#ifndef popart_op_castthenpow2scale_hpp
#define popart_op_castthenpow2scale_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class CastThenPow2ScaleOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CastThenPow2ScaleOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::CastThenPow2ScaleOp")) {}
  static int getInIndex() { return 0; }
  static int getlog2ScaleInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_castthenpow2scale_hpp
