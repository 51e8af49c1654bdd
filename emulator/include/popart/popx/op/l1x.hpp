#ifndef popart_popx_op_l1x_hpp
#define popart_popx_op_l1x_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class L1Opx : public Opx {
 public:
  L1Opx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::L1Opx"), nullptr) {}
};

class L1GradOpx : public Opx {
 public:
  L1GradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::L1GradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_l1x_hpp
