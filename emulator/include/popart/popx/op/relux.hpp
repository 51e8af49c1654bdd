#ifndef popart_popx_op_relux_hpp
#define popart_popx_op_relux_hpp

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
class ReluComputex : public EwuComputex {
 public:
  ReluComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::ReluComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::ReluComputex::get");
  }
};

class ReluOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  ReluOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::ReluOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::ReluOpx"))) {}
};

class ReluInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  ReluInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::ReluInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::ReluInplaceOpx"))) {}
};

class ReluGradOpx : public Opx {
 public:
  ReluGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ReluGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_relux_hpp
