#ifndef popart_popx_op_sinhx_hpp
#define popart_popx_op_sinhx_hpp

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
class SinhComputex : public EwuComputex {
 public:
  SinhComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SinhComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::SinhComputex::get");
  }
};

class SinhOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SinhOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::SinhOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::SinhOpx"))) {}
};

class SinhInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SinhInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SinhInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SinhInplaceOpx"))) {}
};

class SinhGradOpx : public Opx {
 public:
  SinhGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SinhGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sinhx_hpp
