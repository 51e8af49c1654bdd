#ifndef popart_op_cosh_hpp
#define popart_op_cosh_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class CoshOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CoshOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CoshOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_cosh_hpp
