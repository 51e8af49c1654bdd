#ifndef popart_popx_op_swishx_hpp
#define popart_popx_op_swishx_hpp

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
class SwishComputex : public EwuComputex {
 public:
  SwishComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SwishComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::SwishComputex::get");
  }
};

class SwishOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SwishOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::SwishOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::SwishOpx"))) {}
};

class SwishInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SwishInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SwishInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SwishInplaceOpx"))) {}
};

class SwishGradOpx : public Opx {
 public:
  SwishGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SwishGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_swishx_hpp
