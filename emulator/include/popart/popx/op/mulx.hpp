#ifndef popart_popx_op_mulx_hpp
#define popart_popx_op_mulx_hpp

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
class MulComputex : public EwbComputex {
 public:
  explicit MulComputex(EwbComputex::InplacePolicy) {
    emulator::missing("popart::popx::MulComputex");
  }
  poplar::Tensor outplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
                          const poplar::Tensor&, const poplar::DebugNameAndId&,
                          const std::string&) const override {
    emulator::missing("popart::popx::MulComputex::outplace");
  }
  poplar::Tensor maybeInplace(poplar::program::Sequence&, poplar::Graph&, poplar::Tensor&,
                              poplar::Tensor&, const poplar::DebugNameAndId&,
                              const std::string&) const override {
    emulator::missing("popart::popx::MulComputex::maybeInplace");
  }
};

class MulOpx : public ElementWiseBinaryOutplaceOpx {
 public:
  MulOpx(Op*, Devicex*)
      : ElementWiseBinaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::MulOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwbComputex>>("popart::popx::MulOpx"))) {}
};

class MulLhsInplaceOpx : public ElementWiseBinaryInplaceOpx {
 public:
  MulLhsInplaceOpx(Op*, Devicex*)
      : ElementWiseBinaryInplaceOpx(emulator::absent<Op*>("popart::popx::MulLhsInplaceOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwbComputex>>(
                                        "popart::popx::MulLhsInplaceOpx"))) {}
};

class MulRhsInplaceOpx : public ElementWiseBinaryInplaceOpx {
 public:
  MulRhsInplaceOpx(Op*, Devicex*)
      : ElementWiseBinaryInplaceOpx(emulator::absent<Op*>("popart::popx::MulRhsInplaceOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwbComputex>>(
                                        "popart::popx::MulRhsInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_mulx_hpp
