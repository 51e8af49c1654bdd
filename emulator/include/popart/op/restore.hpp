#ifndef popart_op_restore_hpp
#define popart_op_restore_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class RestoreOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RestoreOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RestoreOp")) {}
  static int getStashInIndex() { return 0; }
  static int getRestoredActOutIndex() { return 0; }
};

class RestoreInplaceOp : public RestoreOp {
 public:
  template <class... Args>
  explicit RestoreInplaceOp(const Args&...)
      : RestoreOp(emulator::absent<const OperatorIdentifier>("popart::RestoreInplaceOp")) {}
  static int getActToRestoreInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_restore_hpp
