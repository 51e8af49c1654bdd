#ifndef popart_popx_op_clipx_hpp
#define popart_popx_op_clipx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ClipComputex : public EwuComputex {
 public:
  ClipComputex(float, float) { emulator::missing("popart::popx::ClipComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::ClipComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(float, float) {
    emulator::missing("popart::popx::ClipComputex::get");
  }
  static poplar::Tensor getClipTensor(float, const poplar::Type&, poplar::Graph&,
                                      const poplar::DebugNameAndId&) {
    emulator::missing("popart::popx::ClipComputex::getClipTensor");
  }
  static poplar::Tensor broadcastClipTensor(poplar::Tensor, const poplar::Tensor&) {
    emulator::missing("popart::popx::ClipComputex::broadcastClipTensor");
  }
  static float getMinFromClipOp(Op*) {
    emulator::missing("popart::popx::ClipComputex::getMinFromClipOp");
  }
  static float getMaxFromClipOp(Op*) {
    emulator::missing("popart::popx::ClipComputex::getMaxFromClipOp");
  }
  static float getMinFromClipInplaceOp(Op*) {
    emulator::missing("popart::popx::ClipComputex::getMinFromClipInplaceOp");
  }
  static float getMaxFromClipInplaceOp(Op*) {
    emulator::missing("popart::popx::ClipComputex::getMaxFromClipInplaceOp");
  }
};

class ClipOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  ClipOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::ClipOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::ClipOpx"))) {}
};

class ClipInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  ClipInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::ClipInplaceOpx"), nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::ClipInplaceOpx"))) {}
};

class ClipGradOpx : public Opx {
 public:
  ClipGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ClipGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_clipx_hpp
