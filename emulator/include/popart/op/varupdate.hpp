#ifndef popart_op_varupdate_hpp
#define popart_op_varupdate_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class VarUpdateOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit VarUpdateOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::VarUpdateOp")) {}
  static int getVarToUpdateInIndex() { return 0; }
  static int getUpdatedVarOutIndex() { return 0; }
};

class VarUpdateWithUpdaterOp : public VarUpdateOp {
 public:
  template <class... Args>
  explicit VarUpdateWithUpdaterOp(const Args&...)
      : VarUpdateOp(emulator::absent<const OperatorIdentifier>("popart::VarUpdateWithUpdaterOp")) {}
  static int getUpdaterInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_varupdate_hpp
