#ifndef popart_popx_op_collectives_multi_replicatedreducescatterx_hpp
#define popart_popx_op_collectives_multi_replicatedreducescatterx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/collectives/collectivesx.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/viewchangers.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class MultiReplicatedReduceScatterOpx : public MultiCollectiveBaseOpx {
 public:
  MultiReplicatedReduceScatterOpx(popart::Op*, Devicex*)
      : MultiCollectiveBaseOpx(
            emulator::absent<Op*>("popart::popx::MultiReplicatedReduceScatterOpx"), nullptr) {}
  poplar::Tensor prepareInputForGCL(poplar::Tensor, InIndex, poplar::program::Sequence&) const {
    emulator::missing("popart::popx::MultiReplicatedReduceScatterOpx::prepareInputForGCL");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_multi_replicatedreducescatterx_hpp
