#ifndef popart_popx_op_reducesumx_hpp
#define popart_popx_op_reducesumx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceSumOpx : public Opx {
 public:
  ReduceSumOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ReduceSumOpx"), nullptr) {}
};

class ReduceSumGradOpx : public Opx {
 public:
  ReduceSumGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceSumGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducesumx_hpp
