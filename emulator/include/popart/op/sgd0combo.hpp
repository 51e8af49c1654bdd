#ifndef popart_op_sgd0combo_hpp
#define popart_op_sgd0combo_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class SGD0ComboOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGD0ComboOp(const Args&...)
      : VarUpdateWithUpdaterOp(emulator::absent<const OperatorIdentifier>("popart::SGD0ComboOp")) {}
  static int getSlr0InIndex() { return 2; }
  static int getWdsf0InIndex() { return 3; }
};

}  // namespace popart

#endif  // popart_op_sgd0combo_hpp
