#ifndef popart_op_abort_hpp
#define popart_op_abort_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class AbortOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AbortOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AbortOp")) {}
  static int getInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_abort_hpp
