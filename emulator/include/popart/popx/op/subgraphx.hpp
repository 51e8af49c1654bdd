#ifndef popart_popx_op_subgraphx_hpp
#define popart_popx_op_subgraphx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/preparedtensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SubgraphOpx : public Opx {
 public:
  SubgraphOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SubgraphOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_subgraphx_hpp
