#ifndef popart_op_sgd1varupdate_hpp
#define popart_op_sgd1varupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class SGD1VarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGD1VarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::SGD1VarUpdateOp")) {}
  static int getSlr1InIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_sgd1varupdate_hpp
