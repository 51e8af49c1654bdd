#ifndef popart_popx_op_ctcx_hpp
#define popart_popx_op_ctcx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CtcOpx : public Opx {
 public:
  CtcOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::CtcOpx"), nullptr) {}
};

class CtcGradOpx : public Opx {
 public:
  CtcGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::CtcGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_ctcx_hpp
