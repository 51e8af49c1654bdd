#ifndef popart_op_init_hpp
#define popart_op_init_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

enum class InitType { NoInit = 0, Zero };

class InitOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InitOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::InitOp")) {}
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_init_hpp
