#ifndef popart_popx_op_reducesumsquarex_hpp
#define popart_popx_op_reducesumsquarex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceSumSquareOpx : public Opx {
 public:
  ReduceSumSquareOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceSumSquareOpx"), nullptr) {}
};

class ReduceSumSquareGradOpx : public Opx {
 public:
  ReduceSumSquareGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceSumSquareGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducesumsquarex_hpp
