#ifndef popart_popx_op_atan2x_hpp
#define popart_popx_op_atan2x_hpp

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
class Atan2Computex : public EwbComputex {
 public:
  explicit Atan2Computex(EwbComputex::InplacePolicy) {
    emulator::missing("popart::popx::Atan2Computex");
  }
  poplar::Tensor outplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
                          const poplar::Tensor&, const poplar::DebugNameAndId&,
                          const std::string&) const override {
    emulator::missing("popart::popx::Atan2Computex::outplace");
  }
  poplar::Tensor maybeInplace(poplar::program::Sequence&, poplar::Graph&, poplar::Tensor&,
                              poplar::Tensor&, const poplar::DebugNameAndId&,
                              const std::string&) const override {
    emulator::missing("popart::popx::Atan2Computex::maybeInplace");
  }
};

class Atan2Opx : public ElementWiseBinaryOutplaceOpx {
 public:
  Atan2Opx(Op*, Devicex*)
      : ElementWiseBinaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::Atan2Opx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwbComputex>>("popart::popx::Atan2Opx"))) {}
};

class Atan2LhsInplaceOpx : public ElementWiseBinaryInplaceOpx {
 public:
  Atan2LhsInplaceOpx(Op*, Devicex*)
      : ElementWiseBinaryInplaceOpx(emulator::absent<Op*>("popart::popx::Atan2LhsInplaceOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwbComputex>>(
                                        "popart::popx::Atan2LhsInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_atan2x_hpp
