#ifndef popart_op_lamb_hpp
#define popart_op_lamb_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class LambSquareOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LambSquareOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LambSquareOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_lamb_hpp
