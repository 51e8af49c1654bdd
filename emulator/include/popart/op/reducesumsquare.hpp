#ifndef popart_op_reducesumsquare_hpp
#define popart_op_reducesumsquare_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/reduce.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

class CommGroup;
class ReplicaGrouping;
struct OperatorIdentifier;
class ReduceSumSquareOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceSumSquareOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceSumSquareOp")) {}
  virtual void configureForReplicatedTensorSharding(ReplicatedTensorShardingIndices, CommGroup) {
    emulator::missing("popart::ReduceSumSquareOp::configureForReplicatedTensorSharding");
  }
  virtual void configureForReplicatedTensorSharding(ReplicatedTensorShardingIndices,
                                                    const ReplicaGrouping&) {
    emulator::missing("popart::ReduceSumSquareOp::configureForReplicatedTensorSharding");
  }
};

class ReduceSumSquareGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceSumSquareGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceSumSquareGradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducesumsquare_hpp
