#ifndef popart_popx_op_tensorremapx_hpp
#define popart_popx_op_tensorremapx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class TensorRemapOpx : public Opx {
 public:
  TensorRemapOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::TensorRemapOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_tensorremapx_hpp
