#ifndef popart_popx_op_sigmoidx_hpp
#define popart_popx_op_sigmoidx_hpp

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
class SigmoidComputex : public EwuComputex {
 public:
  SigmoidComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SigmoidComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::SigmoidComputex::get");
  }
};

class SigmoidOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SigmoidOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::SigmoidOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::SigmoidOpx"))) {
  }
};

class SigmoidInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SigmoidInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SigmoidInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SigmoidInplaceOpx"))) {}
};

class SigmoidGradOpx : public ElementWiseUnaryOpx {
 public:
  SigmoidGradOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::SigmoidGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sigmoidx_hpp
