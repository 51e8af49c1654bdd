#ifndef popart_op_sync_hpp
#define popart_op_sync_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SyncOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SyncOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SyncOp")) {}
};

}  // namespace popart

#endif  // popart_op_sync_hpp
