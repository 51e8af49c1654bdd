#ifndef popart_popx_op_thresholdedrelux_hpp
#define popart_popx_op_thresholdedrelux_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ThresholdedReluComputex : public EwuComputex {
 public:
  ThresholdedReluComputex(float) { emulator::missing("popart::popx::ThresholdedReluComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::ThresholdedReluComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float) {
    emulator::missing("popart::popx::ThresholdedReluComputex::get");
  }
  float getAlpha() const { emulator::missing("popart::popx::ThresholdedReluComputex::getAlpha"); }
};

class ThresholdedReluOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  ThresholdedReluOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::ThresholdedReluOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::ThresholdedReluOpx"))) {}
};

class ThresholdedReluInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  ThresholdedReluInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::ThresholdedReluInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::ThresholdedReluInplaceOpx"))) {}
};

class ThresholdedReluGradOpx : public Opx {
 public:
  ThresholdedReluGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ThresholdedReluGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_thresholdedrelux_hpp
