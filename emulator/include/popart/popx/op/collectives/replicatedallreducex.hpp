#ifndef popart_popx_op_collectives_replicatedallreducex_hpp
#define popart_popx_op_collectives_replicatedallreducex_hpp

#include <popart/popx/op/collectives/collectivesx.hpp>

namespace popart {
namespace popx {

class ReplicatedAllReduceOpx : public CollectivesBaseOpx {
 public:
  ReplicatedAllReduceOpx(Op* op, Devicex* devicex);
  void grow(poplar::program::Sequence& program) const override;
  InputCreatorType getInputCreatorType(InIndex) const final { return InputCreatorType::CanUnwind; }
  poplar::Tensor unwindTensorLayout(poplar::Tensor tensor, InIndex, OutIndex) const final {
    return tensor;
  }
  view::RegMap unwindRegion(InIndex in, OutIndex out) const final;
};

class ReplicatedAllReduceInplaceOpx : public ReplicatedAllReduceOpx {
 public:
  ReplicatedAllReduceInplaceOpx(Op* op, Devicex* devicex) : ReplicatedAllReduceOpx(op, devicex) {}
  void grow(poplar::program::Sequence& program) const final;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_replicatedallreducex_hpp
