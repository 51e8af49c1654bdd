#ifndef popart_popx_op_reducemaxx_hpp
#define popart_popx_op_reducemaxx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceMaxOpx : public Opx {
 public:
  ReduceMaxOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ReduceMaxOpx"), nullptr) {}
};

class ReduceMaxGradOpx : public Opx {
 public:
  ReduceMaxGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceMaxGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducemaxx_hpp
