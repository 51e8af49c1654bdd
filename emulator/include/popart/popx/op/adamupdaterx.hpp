#ifndef popart_popx_op_adamupdaterx_hpp
#define popart_popx_op_adamupdaterx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AdamUpdaterOpx : public Opx {
 public:
  AdamUpdaterOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::AdamUpdaterOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_adamupdaterx_hpp
