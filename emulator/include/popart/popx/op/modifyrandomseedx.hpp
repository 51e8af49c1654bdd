#ifndef popart_popx_op_modifyrandomseedx_hpp
#define popart_popx_op_modifyrandomseedx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ModifyRandomSeedOpx : public Opx {
 public:
  ModifyRandomSeedOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ModifyRandomSeedOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_modifyrandomseedx_hpp
