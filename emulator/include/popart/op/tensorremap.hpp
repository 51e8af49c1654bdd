#ifndef popart_op_tensorremap_hpp
#define popart_op_tensorremap_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

enum class TensorRemapType { FwdBwdReverse = 0, FwdBwd, Fwd };

class TensorRemapOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TensorRemapOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TensorRemapOp")) {}
  static int getInIndex() { return 0; }
  static int getRefInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_tensorremap_hpp
