#ifndef popart_popx_op_scaledvarupdatex_hpp
#define popart_popx_op_scaledvarupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/varupdatex.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ScaledVarUpdateOpx : public VarUpdateOpx {
 public:
  ScaledVarUpdateOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::ScaledVarUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scaledvarupdatex_hpp
