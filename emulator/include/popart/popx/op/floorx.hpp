#ifndef popart_popx_op_floorx_hpp
#define popart_popx_op_floorx_hpp

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
class FloorComputex : public EwuComputex {
 public:
  FloorComputex() = default;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::FloorComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::FloorComputex::get");
  }
};

class FloorOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  FloorOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::FloorOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::FloorOpx"))) {}
};

class FloorInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  FloorInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::FloorInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::FloorInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_floorx_hpp
