#ifndef popart_op_tiedgather_hpp
#define popart_op_tiedgather_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/gather.hpp>

namespace popart {

class TiedGatherOp : public GatherOp {
 public:
  template <class... Args>
  explicit TiedGatherOp(const Args&...)
      : GatherOp(emulator::absent<const OperatorIdentifier>("popart::TiedGatherOp")) {}
};

class TiedGatherGradOp : public GatherGradOp {
 public:
  template <class... Args>
  explicit TiedGatherGradOp(const Args&...)
      : GatherGradOp(emulator::absent<const OperatorIdentifier>("popart::TiedGatherGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_tiedgather_hpp
