#ifndef popart_popx_op_expandx_hpp
#define popart_popx_op_expandx_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace popart {

class ExpandOp;
class Op;

namespace popx {

class Devicex;
class BaseExpandOpx : public Opx {
 protected:
  poplar::Tensor expand_broadcast(const Shape, const poplar::Tensor&) const {
    emulator::missing("popart::popx::BaseExpandOpx::expand_broadcast");
  }

 public:
  BaseExpandOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::BaseExpandOpx"), nullptr),
        op(emulator::absent<ExpandOp* const>("popart::popx::BaseExpandOpx")) {}

 protected:
  const ExpandOp* const op;
};

class ExpandOpx : public BaseExpandOpx {
 public:
  ExpandOpx(Op*, Devicex*)
      : BaseExpandOpx(emulator::absent<Op*>("popart::popx::ExpandOpx"), nullptr) {}
};

class ExpandInplaceOpx : public BaseExpandOpx {
 public:
  ExpandInplaceOpx(Op*, Devicex*)
      : BaseExpandOpx(emulator::absent<Op*>("popart::popx::ExpandInplaceOpx"), nullptr) {}
};

class ExpandGradOpx : public Opx {
 public:
  ExpandGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ExpandGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_expandx_hpp
