#ifndef popart_op_receptive_hpp
#define popart_op_receptive_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

enum class AutoPad { NOTSET = 0, SAME_UPPER, SAME_LOWER, VALID };

class HasReceptiveFieldOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit HasReceptiveFieldOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::HasReceptiveFieldOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_receptive_hpp
