#ifndef popart_popx_op_reduceminx_hpp
#define popart_popx_op_reduceminx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceMinOpx : public Opx {
 public:
  ReduceMinOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ReduceMinOpx"), nullptr) {}
};

class ReduceMinGradOpx : public Opx {
 public:
  ReduceMinGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceMinGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reduceminx_hpp
