#ifndef popart_popx_op_loopx_hpp
#define popart_popx_op_loopx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/op/subgraphx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LoopOpx : public SubgraphOpx {
 public:
  LoopOpx(Op*, Devicex*) : SubgraphOpx(emulator::absent<Op*>("popart::popx::LoopOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_loopx_hpp
