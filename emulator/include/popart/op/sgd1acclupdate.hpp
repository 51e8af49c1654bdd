#ifndef popart_op_sgd1acclupdate_hpp
#define popart_op_sgd1acclupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class SGD1AcclUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGD1AcclUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::SGD1AcclUpdateOp")) {}
  static int getSmm1InIndex() { return 2; }
  static int getSwd1InIndex() { return 3; }
};

}  // namespace popart

#endif  // popart_op_sgd1acclupdate_hpp
