#ifndef popart_popx_op_leakyrelux_hpp
#define popart_popx_op_leakyrelux_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LeakyReluComputex : public EwuComputex {
 public:
  LeakyReluComputex(float) { emulator::missing("popart::popx::LeakyReluComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::LeakyReluComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float) {
    emulator::missing("popart::popx::LeakyReluComputex::get");
  }
  float getAlpha() const { emulator::missing("popart::popx::LeakyReluComputex::getAlpha"); }
  static float getAlphaFromLReluOp(Op*) {
    emulator::missing("popart::popx::LeakyReluComputex::getAlphaFromLReluOp");
  }
  static float getAlphaFromLReluInplaceOp(Op*) {
    emulator::missing("popart::popx::LeakyReluComputex::getAlphaFromLReluInplaceOp");
  }
};

class LeakyReluOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  LeakyReluOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::LeakyReluOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::LeakyReluOpx"))) {}
};

class LeakyReluInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  LeakyReluInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::LeakyReluInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::LeakyReluInplaceOpx"))) {}
};

class LeakyReluGradOpx : public Opx {
 public:
  LeakyReluGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::LeakyReluGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_leakyrelux_hpp
