#ifndef popart_popx_op_powx_hpp
#define popart_popx_op_powx_hpp

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
class PowComputex : public EwbComputex {
 public:
  explicit PowComputex(EwbComputex::InplacePolicy) {
    emulator::missing("popart::popx::PowComputex");
  }
  poplar::Tensor outplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
                          const poplar::Tensor&, const poplar::DebugNameAndId&,
                          const std::string&) const override {
    emulator::missing("popart::popx::PowComputex::outplace");
  }
  poplar::Tensor maybeInplace(poplar::program::Sequence&, poplar::Graph&, poplar::Tensor&,
                              poplar::Tensor&, const poplar::DebugNameAndId&,
                              const std::string&) const override {
    emulator::missing("popart::popx::PowComputex::maybeInplace");
  }
};

class PowOpx : public ElementWiseBinaryOutplaceOpx {
 public:
  PowOpx(Op*, Devicex*)
      : ElementWiseBinaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::PowOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwbComputex>>("popart::popx::PowOpx"))) {}
};

class PowLhsInplaceOpx : public ElementWiseBinaryInplaceOpx {
 public:
  PowLhsInplaceOpx(Op*, Devicex*)
      : ElementWiseBinaryInplaceOpx(emulator::absent<Op*>("popart::popx::PowLhsInplaceOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwbComputex>>(
                                        "popart::popx::PowLhsInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_powx_hpp
