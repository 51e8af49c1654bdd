#ifndef popart_popx_op_slicex_hpp
#define popart_popx_op_slicex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class BaseSliceOpx : public Opx {
 public:
  BaseSliceOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::BaseSliceOpx"), nullptr) {}
};

class SliceOpx : public BaseSliceOpx {
 public:
  SliceOpx(Op*, Devicex*)
      : BaseSliceOpx(emulator::absent<Op*>("popart::popx::SliceOpx"), nullptr) {}
};

class SliceInplaceOpx : public BaseSliceOpx {
 public:
  SliceInplaceOpx(Op*, Devicex*)
      : BaseSliceOpx(emulator::absent<Op*>("popart::popx::SliceInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_slicex_hpp
