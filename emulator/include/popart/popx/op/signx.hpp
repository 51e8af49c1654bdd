#ifndef popart_popx_op_signx_hpp
#define popart_popx_op_signx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SignComputex : public EwuComputex {
 public:
  SignComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SignComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::SignComputex::get");
  }
};

class SignOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SignOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::SignOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::SignOpx"))) {}
};

class SignInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SignInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SignInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SignInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_signx_hpp
