#ifndef popart_popx_op_collectives_multi_replicatedallgatherx_hpp
#define popart_popx_op_collectives_multi_replicatedallgatherx_hpp

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
class MultiReplicatedAllGatherOpx : public MultiCollectiveBaseOpx {
 public:
  MultiReplicatedAllGatherOpx(popart::Op*, Devicex*)
      : MultiCollectiveBaseOpx(emulator::absent<Op*>("popart::popx::MultiReplicatedAllGatherOpx"),
                               nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_multi_replicatedallgatherx_hpp
