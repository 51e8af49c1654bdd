#ifndef popart_op_adamvarupdate_hpp
#define popart_op_adamvarupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class AdamVarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit AdamVarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::AdamVarUpdateOp")) {}
  static int getLambR1SqInIndex() { return 2; }
  static int getLambR2SqInIndex() { return 3; }
  static int getLrInIndex() { return 4; }
  static int getMwnInIndex() { return 5; }
};

}  // namespace popart

#endif  // popart_op_adamvarupdate_hpp
