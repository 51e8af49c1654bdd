#ifndef popart_popx_op_collectives_replicatedreducescatterx_hpp
#define popart_popx_op_collectives_replicatedreducescatterx_hpp

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
class ReplicatedReduceScatterOpx : public CollectivesBaseOpx {
 public:
  ReplicatedReduceScatterOpx(Op*, Devicex*)
      : CollectivesBaseOpx(emulator::absent<Op*>("popart::popx::ReplicatedReduceScatterOpx"),
                           nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_replicatedreducescatterx_hpp
