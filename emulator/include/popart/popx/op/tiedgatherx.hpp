#ifndef popart_popx_op_tiedgatherx_hpp
#define popart_popx_op_tiedgatherx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/gatherx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class TiedGatherOpx : public GatherBaseOpx {
 public:
  TiedGatherOpx(Op*, Devicex*)
      : GatherBaseOpx(emulator::absent<Op*>("popart::popx::TiedGatherOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::TiedGatherOpx::grow");
  }
  InputCreatorType getInputCreatorType(int) const override {
    emulator::missing("popart::popx::TiedGatherOpx::getInputCreatorType");
  }
  poplar::Tensor createInput(InIndex, const poplar::DebugNameAndId&) const override {
    emulator::missing("popart::popx::TiedGatherOpx::createInput");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_tiedgatherx_hpp
