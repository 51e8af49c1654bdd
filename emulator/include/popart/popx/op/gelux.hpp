#ifndef popart_popx_op_gelux_hpp
#define popart_popx_op_gelux_hpp

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
class GeluComputex : public EwuComputex {
 public:
  GeluComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::GeluComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::GeluComputex::get");
  }
};

class GeluOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  GeluOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::GeluOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::GeluOpx"))) {}
};

class GeluInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  GeluInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::GeluInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::GeluInplaceOpx"))) {}
};

class GeluGradOpx : public Opx {
 public:
  GeluGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::GeluGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_gelux_hpp
