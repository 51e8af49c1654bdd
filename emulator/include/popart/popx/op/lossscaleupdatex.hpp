#ifndef popart_popx_op_lossscaleupdatex_hpp
#define popart_popx_op_lossscaleupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LossScaleUpdateOpx : public Opx {
 public:
  LossScaleUpdateOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::LossScaleUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_lossscaleupdatex_hpp
