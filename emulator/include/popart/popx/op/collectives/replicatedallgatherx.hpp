#ifndef popart_popx_op_collectives_replicatedallgatherx_hpp
#define popart_popx_op_collectives_replicatedallgatherx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/collectives/collectivesx.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/viewchangers.hpp>
#include <popart/tensordebuginfo.hpp>
#include <poplar/Tensor.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReplicatedAllGatherOpx : public CollectivesBaseOpx {
 public:
  ReplicatedAllGatherOpx(Op*, Devicex*)
      : CollectivesBaseOpx(emulator::absent<Op*>("popart::popx::ReplicatedAllGatherOpx"), nullptr) {
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_replicatedallgatherx_hpp
