#ifndef popart_popx_op_sgd0varupdatex_hpp
#define popart_popx_op_sgd0varupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/varupdatex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SGD0VarUpdateOpx : public VarUpdateOpx {
 public:
  SGD0VarUpdateOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::SGD0VarUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sgd0varupdatex_hpp
