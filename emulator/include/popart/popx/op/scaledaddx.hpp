#ifndef popart_popx_op_scaledaddx_hpp
#define popart_popx_op_scaledaddx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ScaledAddOpx : public Opx {
 public:
  ScaledAddOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ScaledAddOpx"), nullptr) {}

 protected:
  poplar::Tensor compute(poplar::program::Sequence&, poplar::Tensor, poplar::Tensor, poplar::Tensor,
                         poplar::Tensor, float, float, bool) const {
    emulator::missing("popart::popx::ScaledAddOpx::compute");
  }
};

class ScaledAddLhsInplaceOpx : public ScaledAddOpx {
 public:
  ScaledAddLhsInplaceOpx(Op*, Devicex*)
      : ScaledAddOpx(emulator::absent<Op*>("popart::popx::ScaledAddLhsInplaceOpx"), nullptr) {}
};

class ScaledAddRhsInplaceOpx : public ScaledAddOpx {
 public:
  ScaledAddRhsInplaceOpx(Op*, Devicex*)
      : ScaledAddOpx(emulator::absent<Op*>("popart::popx::ScaledAddRhsInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scaledaddx_hpp
