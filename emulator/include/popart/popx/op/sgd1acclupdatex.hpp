#ifndef popart_popx_op_sgd1acclupdatex_hpp
#define popart_popx_op_sgd1acclupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/varupdatex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SGD1AcclUpdateOpx : public VarUpdateOpx {
 public:
  SGD1AcclUpdateOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::SGD1AcclUpdateOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sgd1acclupdatex_hpp
