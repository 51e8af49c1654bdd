#ifndef popart_op_restore_hpp
#define popart_op_restore_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class RestoreOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RestoreOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RestoreOp")) {}
  static InIndex getStashInIndex() { return 0; }
  static OutIndex getRestoredActOutIndex() { return 0; }
  TensorId getRestoredTensorId() const {
    emulator::missing("popart::RestoreOp::getRestoredTensorId");
  }
  int64_t getStashSize() const { emulator::missing("popart::RestoreOp::getStashSize"); }
};

class RestoreInplaceOp : public RestoreOp {
 public:
  template <class... Args>
  explicit RestoreInplaceOp(const Args&...)
      : RestoreOp(emulator::absent<const OperatorIdentifier>("popart::RestoreInplaceOp")) {}
  static InIndex getActToRestoreInIndex() { return 1; }
  bool requiredForRecompute = false;
};

}  // namespace popart

#endif  // popart_op_restore_hpp
