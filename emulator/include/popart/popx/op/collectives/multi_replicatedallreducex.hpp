#ifndef popart_popx_op_collectives_multi_replicatedallreducex_hpp
#define popart_popx_op_collectives_multi_replicatedallreducex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/op/collectives/collectivesx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class MultiReplicatedAllReduceOpx : public MultiCollectiveBaseOpx {
 public:
  MultiReplicatedAllReduceOpx(popart::Op*, Devicex*)
      : MultiCollectiveBaseOpx(emulator::absent<Op*>("popart::popx::MultiReplicatedAllReduceOpx"),
                               nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_multi_replicatedallreducex_hpp
