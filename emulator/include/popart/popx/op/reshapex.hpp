#ifndef popart_popx_op_reshapex_hpp
#define popart_popx_op_reshapex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReshapeBaseOpx : public Opx {
 public:
  ReshapeBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReshapeBaseOpx"), nullptr) {}
};

class ReshapeOpx : public ReshapeBaseOpx {
 public:
  ReshapeOpx(Op*, Devicex*)
      : ReshapeBaseOpx(emulator::absent<Op*>("popart::popx::ReshapeOpx"), nullptr) {}
};

class ReshapeInplaceOpx : public ReshapeBaseOpx {
 public:
  ReshapeInplaceOpx(Op*, Devicex*)
      : ReshapeBaseOpx(emulator::absent<Op*>("popart::popx::ReshapeInplaceOpx"), nullptr) {}
};

class ReshapeGradOpx : public ReshapeOpx {
 public:
  ReshapeGradOpx(Op*, Devicex*)
      : ReshapeOpx(emulator::absent<Op*>("popart::popx::ReshapeGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reshapex_hpp
