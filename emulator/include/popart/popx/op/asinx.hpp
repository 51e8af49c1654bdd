#ifndef popart_popx_op_asinx_hpp
#define popart_popx_op_asinx_hpp

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
class AsinComputex : public EwuComputex {
 public:
  AsinComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::AsinComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::AsinComputex::get");
  }
};

class AsinOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  AsinOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::AsinOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::AsinOpx"))) {}
};

class AsinInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  AsinInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::AsinInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::AsinInplaceOpx"))) {}
};

class AsinGradOpx : public Opx {
 public:
  AsinGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::AsinGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_asinx_hpp
