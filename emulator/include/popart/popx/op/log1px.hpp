#ifndef popart_popx_op_log1px_hpp
#define popart_popx_op_log1px_hpp

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
class Log1pComputex : public EwuComputex {
 public:
  Log1pComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::Log1pComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::Log1pComputex::get");
  }
};

class Log1pOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  Log1pOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::Log1pOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::Log1pOpx"))) {}
};

class Log1pInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  Log1pInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::Log1pInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::Log1pInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_log1px_hpp
