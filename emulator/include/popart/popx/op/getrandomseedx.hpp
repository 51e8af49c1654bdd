#ifndef popart_popx_op_getrandomseedx_hpp
#define popart_popx_op_getrandomseedx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class GetRandomSeedOpx : public Opx {
 public:
  GetRandomSeedOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::GetRandomSeedOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_getrandomseedx_hpp
