#ifndef popart_popx_op_dynamic_dynamicupdatex_hpp
#define popart_popx_op_dynamic_dynamicupdatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DynamicUpdateOpx : public Opx {
 public:
  DynamicUpdateOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::DynamicUpdateOpx"), nullptr) {}
  virtual poplar::Tensor cloneNcopyOpt(poplar::program::Sequence&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::DynamicUpdateOpx::cloneNcopyOpt");
  }
};

class DynamicUpdateInplaceOpx : public DynamicUpdateOpx {
 public:
  DynamicUpdateInplaceOpx(Op*, Devicex*)
      : DynamicUpdateOpx(emulator::absent<Op*>("popart::popx::DynamicUpdateInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_dynamic_dynamicupdatex_hpp
