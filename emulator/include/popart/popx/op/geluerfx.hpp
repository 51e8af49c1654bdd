#ifndef popart_popx_op_geluerfx_hpp
#define popart_popx_op_geluerfx_hpp

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
class GeluErfComputex : public EwuComputex {
 public:
  GeluErfComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::GeluErfComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::GeluErfComputex::get");
  }
};

class GeluErfOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  GeluErfOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::GeluErfOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::GeluErfOpx"))) {
  }
};

class GeluErfInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  GeluErfInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::GeluErfInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::GeluErfInplaceOpx"))) {}
};

class GeluErfGradOpx : public Opx {
 public:
  GeluErfGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::GeluErfGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_geluerfx_hpp
