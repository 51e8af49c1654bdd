#ifndef popart_popx_op_scalex_hpp
#define popart_popx_op_scalex_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ScaleComputex : public EwuComputex {
 public:
  ScaleComputex(double) { emulator::missing("popart::popx::ScaleComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::ScaleComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float) {
    emulator::missing("popart::popx::ScaleComputex::get");
  }
  poplar::Tensor getScaleTensor(const poplar::Type&, poplar::Graph&) const {
    emulator::missing("popart::popx::ScaleComputex::getScaleTensor");
  }
  static float getFromScaleOp(Op*) {
    emulator::missing("popart::popx::ScaleComputex::getFromScaleOp");
  }
  static float getFromScaleInplaceOp(Op*) {
    emulator::missing("popart::popx::ScaleComputex::getFromScaleInplaceOp");
  }
};

class ScaleOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  ScaleOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::ScaleOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::ScaleOpx"))) {}
};

class ScaleInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  ScaleInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::ScaleInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::ScaleInplaceOpx"))) {}
};

class ScaleGradOpx : public ScaleOpx {
 public:
  ScaleGradOpx(Op*, Devicex*)
      : ScaleOpx(emulator::absent<Op*>("popart::popx::ScaleGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scalex_hpp
