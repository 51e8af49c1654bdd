#ifndef popart_op_copyvarupdate_hpp
#define popart_op_copyvarupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class CopyVarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit CopyVarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::CopyVarUpdateOp")) {}
};

}  // namespace popart

#endif  // popart_op_copyvarupdate_hpp
