#ifndef popart_popx_op_selux_hpp
#define popart_popx_op_selux_hpp

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
class SeluComputex : public EwuComputex {
 public:
  SeluComputex(float, float) { emulator::missing("popart::popx::SeluComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SeluComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float, float) {
    emulator::missing("popart::popx::SeluComputex::get");
  }
  float getAlpha() const { emulator::missing("popart::popx::SeluComputex::getAlpha"); }
  float getGamma() const { emulator::missing("popart::popx::SeluComputex::getGamma"); }
};

class SeluOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SeluOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::SeluOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::SeluOpx"))) {}
};

class SeluInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SeluInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SeluInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SeluInplaceOpx"))) {}
};

class SeluGradOpx : public Opx {
 public:
  SeluGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SeluGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_selux_hpp
