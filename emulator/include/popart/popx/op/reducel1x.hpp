#ifndef popart_popx_op_reducel1x_hpp
#define popart_popx_op_reducel1x_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceL1Opx : public Opx {
 public:
  ReduceL1Opx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ReduceL1Opx"), nullptr) {}
};

class ReduceL1GradOpx : public Opx {
 public:
  ReduceL1GradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceL1GradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducel1x_hpp
