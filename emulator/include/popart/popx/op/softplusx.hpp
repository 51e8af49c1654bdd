#ifndef popart_popx_op_softplusx_hpp
#define popart_popx_op_softplusx_hpp

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
class SoftPlusComputex : public EwuComputex {
 public:
  SoftPlusComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SoftPlusComputex::inplace");
  }
};

class SoftPlusOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SoftPlusOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::SoftPlusOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::SoftPlusOpx"))) {}
};

class SoftPlusInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SoftPlusInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SoftPlusInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SoftPlusInplaceOpx"))) {}
};

class SoftPlusGradOpx : public Opx {
 public:
  SoftPlusGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SoftPlusGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_softplusx_hpp
