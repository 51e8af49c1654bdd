#ifndef popart_popx_op_sgd1varupdatex_hpp
#define popart_popx_op_sgd1varupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/varupdatex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SGD1VarUpdateOpx : public VarUpdateOpx {
 public:
  SGD1VarUpdateOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::SGD1VarUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sgd1varupdatex_hpp
