#ifndef popart_popx_op_addx_hpp
#define popart_popx_op_addx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/op/reducesumx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AddComputex : public EwbComputex {
 public:
  explicit AddComputex(EwbComputex::InplacePolicy) {
    emulator::missing("popart::popx::AddComputex");
  }
  poplar::Tensor outplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
                          const poplar::Tensor&, const poplar::DebugNameAndId&,
                          const std::string&) const override {
    emulator::missing("popart::popx::AddComputex::outplace");
  }
  poplar::Tensor maybeInplace(poplar::program::Sequence&, poplar::Graph&, poplar::Tensor&,
                              poplar::Tensor&, const poplar::DebugNameAndId&,
                              const std::string&) const override {
    emulator::missing("popart::popx::AddComputex::maybeInplace");
  }
};

class AddOpx : public ElementWiseBinaryOutplaceOpx {
 public:
  AddOpx(Op*, Devicex*)
      : ElementWiseBinaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::AddOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwbComputex>>("popart::popx::AddOpx"))) {}
};

class AddLhsInplaceOpx : public ElementWiseBinaryInplaceOpx {
 public:
  AddLhsInplaceOpx(Op*, Devicex*)
      : ElementWiseBinaryInplaceOpx(emulator::absent<Op*>("popart::popx::AddLhsInplaceOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwbComputex>>(
                                        "popart::popx::AddLhsInplaceOpx"))) {}
};

class AddRhsInplaceOpx : public ElementWiseBinaryInplaceOpx {
 public:
  AddRhsInplaceOpx(Op*, Devicex*)
      : ElementWiseBinaryInplaceOpx(emulator::absent<Op*>("popart::popx::AddRhsInplaceOpx"),
                                    nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwbComputex>>(
                                        "popart::popx::AddRhsInplaceOpx"))) {}
};

class AddArg0GradOpx : public ReduceSumOpx {
 public:
  AddArg0GradOpx(Op*, Devicex*)
      : ReduceSumOpx(emulator::absent<Op*>("popart::popx::AddArg0GradOpx"), nullptr) {}
};

class AddArg1GradOpx : public ReduceSumOpx {
 public:
  AddArg1GradOpx(Op*, Devicex*)
      : ReduceSumOpx(emulator::absent<Op*>("popart::popx::AddArg1GradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_addx_hpp
