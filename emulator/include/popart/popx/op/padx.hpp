#ifndef popart_popx_op_padx_hpp
#define popart_popx_op_padx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <utility>
#include <vector>

namespace popart {

class BasePadOp;
class Op;

namespace popx {

class Devicex;
class BasePadOpx : public Opx {
 public:
  BasePadOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::BasePadOpx"), nullptr) {}
  const BasePadOp& getBasePadOp() const {
    emulator::missing("popart::popx::BasePadOpx::getBasePadOp");
  }
  poplar::Tensor padGrow(poplar::Tensor, poplar::program::Sequence&, bool) const {
    emulator::missing("popart::popx::BasePadOpx::padGrow");
  }
};

class PadOpx : public BasePadOpx {
 public:
  PadOpx(Op*, Devicex*) : BasePadOpx(emulator::absent<Op*>("popart::popx::PadOpx"), nullptr) {}
};

class PadInplaceOpx : public BasePadOpx {
 public:
  PadInplaceOpx(Op*, Devicex*)
      : BasePadOpx(emulator::absent<Op*>("popart::popx::PadInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_padx_hpp
