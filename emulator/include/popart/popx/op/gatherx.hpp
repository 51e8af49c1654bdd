#ifndef popart_popx_op_gatherx_hpp
#define popart_popx_op_gatherx_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <popops/DynamicSlice.hpp>
#include <set>
#include <tuple>

namespace popart {

class Op;

namespace popx {

class Devicex;
class GatherBaseOpx : public Opx {
 public:
  GatherBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::GatherBaseOpx"), nullptr) {}

 protected:
  int64_t axis;
  int64_t group_size;
  bool isGrouped() const { emulator::missing("popart::popx::GatherBaseOpx::isGrouped"); }
  void setCommonMembersPostVerify(const Op*) {
    emulator::missing("popart::popx::GatherBaseOpx::setCommonMembersPostVerify");
  }
  std::tuple<poplar::Tensor, poplar::Tensor> zeroIndiciesThatAreOutOfRange(
      poplar::program::Sequence&, const poplar::Tensor&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::GatherBaseOpx::zeroIndiciesThatAreOutOfRange");
  }
  void zeroOutputOfOutOfRangeIndices(poplar::program::Sequence&, poplar::Tensor&,
                                     const poplar::Tensor&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::GatherBaseOpx::zeroOutputOfOutOfRangeIndices");
  }
};

class GatherOpx : public GatherBaseOpx {
 public:
  GatherOpx(Op*, Devicex*)
      : GatherBaseOpx(emulator::absent<Op*>("popart::popx::GatherOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::GatherOpx::grow");
  }
  poplar::Tensor createInput(int, const poplar::DebugNameAndId&) const override {
    emulator::missing("popart::popx::GatherOpx::createInput");
  }
  InputCreatorType getInputCreatorType(int) const override {
    emulator::missing("popart::popx::GatherOpx::getInputCreatorType");
  }
};

class GatherGradOpx : public Opx {
 public:
  GatherGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::GatherGradOpx"), nullptr) {}
  static std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor> handleNDMultiUpdate(
      poplar::Tensor, poplar::Tensor, poplar::Tensor, int64_t, int64_t) {
    emulator::missing("popart::popx::GatherGradOpx::handleNDMultiUpdate");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_gatherx_hpp
