#ifndef popart_popx_op_restorex_hpp
#define popart_popx_op_restorex_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class RestoreOp;
class RestoreInplaceOp;
class Op;

namespace popx {

class Devicex;
template <typename Derived>
class RestoreBaseOpx : public Opx {
 public:
  RestoreBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::RestoreBaseOpx"), nullptr) {}

 protected:
  bool canDynamicSliceRestore;
  poplar::Tensor growRestore(poplar::program::Sequence&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::RestoreBaseOpx::growRestore");
  }
};

class RestoreOpx : public RestoreBaseOpx<RestoreOpx> {
 public:
  RestoreOpx(Op*, Devicex*)
      : RestoreBaseOpx(emulator::absent<Op*>("popart::popx::RestoreOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::RestoreOpx::grow");
  }
  using OpType = RestoreOp;
};

class RestoreInplaceOpx : public RestoreBaseOpx<RestoreInplaceOpx> {
 public:
  RestoreInplaceOpx(Op*, Devicex*)
      : RestoreBaseOpx(emulator::absent<Op*>("popart::popx::RestoreInplaceOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::RestoreInplaceOpx::grow");
  }
  using OpType = RestoreInplaceOp;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_restorex_hpp
