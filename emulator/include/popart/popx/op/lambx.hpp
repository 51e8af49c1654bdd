#ifndef popart_popx_op_lambx_hpp
#define popart_popx_op_lambx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LambSquareOpx : public Opx {
 public:
  LambSquareOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::LambSquareOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_lambx_hpp
