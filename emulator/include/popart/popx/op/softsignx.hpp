#ifndef popart_popx_op_softsignx_hpp
#define popart_popx_op_softsignx_hpp

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
class SoftSignComputex : public EwuComputex {
 public:
  SoftSignComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SoftSignComputex::inplace");
  }
};

class SoftSignOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SoftSignOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::SoftSignOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::SoftSignOpx"))) {}
};

class SoftSignInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SoftSignInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SoftSignInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SoftSignInplaceOpx"))) {}
};

class SoftSignGradOpx : public Opx {
 public:
  SoftSignGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SoftSignGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_softsignx_hpp
