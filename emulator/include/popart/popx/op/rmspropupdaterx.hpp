#ifndef popart_popx_op_rmspropupdaterx_hpp
#define popart_popx_op_rmspropupdaterx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RMSPropUpdaterOpx : public Opx {
 public:
  RMSPropUpdaterOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::RMSPropUpdaterOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_rmspropupdaterx_hpp
