#ifndef popart_popx_op_nllx_hpp
#define popart_popx_op_nllx_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class NllOpx : public Opx {
 public:
  NllOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::NllOpx"), nullptr) {}
  static void flattenAndEncodeOneHot(const Opx&, poplar::program::Sequence&, const poplar::Tensor&,
                                     const poplar::Tensor&, poplar::Tensor&, poplar::Tensor&,
                                     poplar::Tensor&) {
    emulator::missing("popart::popx::NllOpx::flattenAndEncodeOneHot");
  }
  static poplar::Tensor applyMaskInPlaceForIgnoredIndex(const Opx&, poplar::Tensor, poplar::Tensor,
                                                        int, poplar::program::Sequence&) {
    emulator::missing("popart::popx::NllOpx::applyMaskInPlaceForIgnoredIndex");
  }
  static void applyScalingInPlaceForMeanReduction(const Opx&, poplar::Tensor, poplar::Tensor,
                                                  poplar::program::Sequence&) {
    emulator::missing("popart::popx::NllOpx::applyScalingInPlaceForMeanReduction");
  }
  static void applyScalingInPlaceForMeanReductionWithIgnoreIndex(const Opx&, poplar::Tensor,
                                                                 poplar::Tensor, poplar::Tensor,
                                                                 poplar::program::Sequence&) {
    emulator::missing("popart::popx::NllOpx::applyScalingInPlaceForMeanReductionWithIgnoreIndex");
  }
  static void handleLossGradScaling(const Opx&, bool, int64_t, bool, poplar::Tensor&,
                                    poplar::Tensor&, poplar::Tensor&, poplar::program::Sequence&) {
    emulator::missing("popart::popx::NllOpx::handleLossGradScaling");
  }
  static void handleLossOutReducedToScalar(const Opx&, bool, int64_t, bool, poplar::Tensor&,
                                           poplar::Tensor&, poplar::program::Sequence&,
                                           const OutIndex) {
    emulator::missing("popart::popx::NllOpx::handleLossOutReducedToScalar");
  }
  static void handleLossOutNotReducedToScalar(const Opx&, poplar::Tensor&, const poplar::Tensor&,
                                              poplar::Tensor&, poplar::program::Sequence&) {
    emulator::missing("popart::popx::NllOpx::handleLossOutNotReducedToScalar");
  }
};

class NllGradOpx : public Opx {
 public:
  NllGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::NllGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_nllx_hpp
