#ifndef popart_popx_op_expx_hpp
#define popart_popx_op_expx_hpp

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
class ExpComputex : public EwuComputex {
 public:
  ExpComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::ExpComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() { emulator::missing("popart::popx::ExpComputex::get"); }
};

class ExpOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  ExpOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::ExpOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::ExpOpx"))) {}
};

class ExpInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  ExpInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::ExpInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::ExpInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_expx_hpp
