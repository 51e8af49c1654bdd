#ifndef popart_popx_op_reducel2x_hpp
#define popart_popx_op_reducel2x_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceL2Opx : public Opx {
 public:
  ReduceL2Opx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ReduceL2Opx"), nullptr) {}
};

class ReduceL2GradOpx : public Opx {
 public:
  ReduceL2GradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceL2GradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducel2x_hpp
