#ifndef popart_popx_op_argextremax_hpp
#define popart_popx_op_argextremax_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ArgExtremaOpx : public Opx {
 public:
  ArgExtremaOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ArgExtremaOpx"), nullptr) {}

 private:
  virtual poplar::Tensor extremaOp(poplar::program::Sequence&, const poplar::Tensor&) const = 0;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_argextremax_hpp
