#ifndef popart_popx_op_hardsigmoidx_hpp
#define popart_popx_op_hardsigmoidx_hpp

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
class HardSigmoidComputex : public EwuComputex {
 public:
  HardSigmoidComputex(float, float) { emulator::missing("popart::popx::HardSigmoidComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::HardSigmoidComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float, float) {
    emulator::missing("popart::popx::HardSigmoidComputex::get");
  }
  float getAlpha() const { emulator::missing("popart::popx::HardSigmoidComputex::getAlpha"); }
  float getBeta() const { emulator::missing("popart::popx::HardSigmoidComputex::getBeta"); }
};

class HardSigmoidOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  HardSigmoidOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::HardSigmoidOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::HardSigmoidOpx"))) {}
};

class HardSigmoidInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  HardSigmoidInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::HardSigmoidInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::HardSigmoidInplaceOpx"))) {}
};

class HardSigmoidGradOpx : public Opx {
 public:
  HardSigmoidGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::HardSigmoidGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_hardsigmoidx_hpp
