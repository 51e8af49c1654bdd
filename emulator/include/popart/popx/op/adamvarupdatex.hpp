#ifndef popart_popx_op_adamvarupdatex_hpp
#define popart_popx_op_adamvarupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/varupdatex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AdamVarUpdateOpx : public VarUpdateOpx {
 public:
  AdamVarUpdateOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::AdamVarUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_adamvarupdatex_hpp
