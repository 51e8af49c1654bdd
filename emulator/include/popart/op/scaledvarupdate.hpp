#ifndef popart_op_scaledvarupdate_hpp
#define popart_op_scaledvarupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class ScaledVarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit ScaledVarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::ScaledVarUpdateOp")) {}
  static int getLrInIndex() { return 2; }
  static int getWdInIndex() { return 3; }
};

}  // namespace popart

#endif  // popart_op_scaledvarupdate_hpp
