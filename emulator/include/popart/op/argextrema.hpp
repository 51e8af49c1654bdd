#ifndef popart_op_argextrema_hpp
#define popart_op_argextrema_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ArgExtremaOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ArgExtremaOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ArgExtremaOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_argextrema_hpp
