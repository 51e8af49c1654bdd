#ifndef popart_popx_op_nearbyintx_hpp
#define popart_popx_op_nearbyintx_hpp

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
class NearbyIntComputex : public EwuComputex {
 public:
  using EwuComputex::EwuComputex;
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::NearbyIntComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get() {
    emulator::missing("popart::popx::NearbyIntComputex::get");
  }
};

class NearbyIntOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  NearbyIntOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::NearbyIntOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::NearbyIntOpx"))) {}
};

class NearbyIntInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  NearbyIntInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::NearbyIntInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::NearbyIntInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_nearbyintx_hpp
