#ifndef popart_popx_op_subsamplex_hpp
#define popart_popx_op_subsamplex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SubsampleOpx : public Opx {
 public:
  SubsampleOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SubsampleOpx"), nullptr) {}
};

class SubsampleInplaceOpx : public Opx {
 public:
  SubsampleInplaceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SubsampleInplaceOpx"), nullptr) {}
};

class SubsampleGradOpx : public Opx {
 public:
  SubsampleGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SubsampleGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_subsamplex_hpp
