#ifndef popart_popx_op_rnnx_hpp
#define popart_popx_op_rnnx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RNNOpx : public Opx {
 public:
  RNNOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::RNNOpx"), nullptr) {}
};

class RNNGradOpx : public Opx {
 public:
  RNNGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::RNNGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_rnnx_hpp
