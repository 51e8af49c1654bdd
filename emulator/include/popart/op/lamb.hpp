#ifndef popart_op_lamb_hpp
#define popart_op_lamb_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

class CommGroup;
class ReplicaGrouping;
class LambSquareOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LambSquareOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LambSquareOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  virtual void configureForReplicatedTensorSharding(ReplicatedTensorShardingIndices, CommGroup) {
    emulator::missing("popart::LambSquareOp::configureForReplicatedTensorSharding");
  }
  virtual void configureForReplicatedTensorSharding(ReplicatedTensorShardingIndices,
                                                    const ReplicaGrouping&) {
    emulator::missing("popart::LambSquareOp::configureForReplicatedTensorSharding");
  }
};

}  // namespace popart

#endif  // popart_op_lamb_hpp
