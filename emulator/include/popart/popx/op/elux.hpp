#ifndef popart_popx_op_elux_hpp
#define popart_popx_op_elux_hpp

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
class EluComputex : public EwuComputex {
 public:
  EluComputex(float) { emulator::missing("popart::popx::EluComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::EluComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float) {
    emulator::missing("popart::popx::EluComputex::get");
  }
  float alpha() const { emulator::missing("popart::popx::EluComputex::alpha"); }
};

class EluOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  EluOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::EluOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::EluOpx"))) {}
};

class EluInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  EluInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::EluInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::EluInplaceOpx"))) {}
};

class EluGradOpx : public Opx {
 public:
  EluGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::EluGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_elux_hpp
