#ifndef popart_op_sync_hpp
#define popart_op_sync_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <poplar/SyncType.hpp>

namespace popart {

class SyncOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SyncOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SyncOp")) {}
  const poplar::SyncType& getSyncType() const { emulator::missing("popart::SyncOp::getSyncType"); }
};

}  // namespace popart

#endif  // popart_op_sync_hpp
