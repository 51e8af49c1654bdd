#ifndef popart_popx_op_varupdatex_hpp
#define popart_popx_op_varupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class VarUpdateOpx : public Opx {
 public:
  VarUpdateOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::VarUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_varupdatex_hpp
