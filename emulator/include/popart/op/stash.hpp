#ifndef popart_op_stash_hpp
#define popart_op_stash_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class StashOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit StashOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::StashOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  int64_t getStashSize() { emulator::missing("popart::StashOp::getStashSize"); }
  TensorId getStashedTensorId() const { emulator::missing("popart::StashOp::getStashedTensorId"); }
};

}  // namespace popart

#endif  // popart_op_stash_hpp
