#ifndef popart_popx_op_atanx_hpp
#define popart_popx_op_atanx_hpp

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
class AtanComputex : public EwuComputex {
 public:
  AtanComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::AtanComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::AtanComputex::get");
  }
};

class AtanOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  AtanOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::AtanOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::AtanOpx"))) {}
};

class AtanInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  AtanInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::AtanInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::AtanInplaceOpx"))) {}
};

class AtanGradOpx : public Opx {
 public:
  AtanGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::AtanGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_atanx_hpp
