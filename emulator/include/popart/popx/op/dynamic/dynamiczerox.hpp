#ifndef popart_popx_op_dynamic_dynamiczerox_hpp
#define popart_popx_op_dynamic_dynamiczerox_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DynamicZeroOpx : public Opx {
 public:
  DynamicZeroOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::DynamicZeroOpx"), nullptr) {}
  virtual poplar::Tensor cloneNcopyOpt(poplar::program::Sequence&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::DynamicZeroOpx::cloneNcopyOpt");
  }
};

class DynamicZeroInplaceOpx : public DynamicZeroOpx {
 public:
  DynamicZeroInplaceOpx(Op*, Devicex*)
      : DynamicZeroOpx(emulator::absent<Op*>("popart::popx::DynamicZeroInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_dynamic_dynamiczerox_hpp
