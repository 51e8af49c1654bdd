#ifndef popart_popx_op_shrinkx_hpp
#define popart_popx_op_shrinkx_hpp

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
class ShrinkComputex : public EwuComputex {
 public:
  ShrinkComputex(float, float) { emulator::missing("popart::popx::ShrinkComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::ShrinkComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float, float) {
    emulator::missing("popart::popx::ShrinkComputex::get");
  }
  float lambd() const { emulator::missing("popart::popx::ShrinkComputex::lambd"); }
  float bias() const { emulator::missing("popart::popx::ShrinkComputex::bias"); }
};

class ShrinkOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  ShrinkOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::ShrinkOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::ShrinkOpx"))) {}
};

class ShrinkInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  ShrinkInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::ShrinkInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::ShrinkInplaceOpx"))) {}
};

class ShrinkGradOpx : public Opx {
 public:
  ShrinkGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ShrinkGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_shrinkx_hpp
