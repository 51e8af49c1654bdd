#ifndef popart_op_tiedgather_hpp
#define popart_op_tiedgather_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/gather.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

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
  const TiedGatherOp* fwdOp;
};

}  // namespace popart

#endif  // popart_op_tiedgather_hpp
