#ifndef popart_popx_op_addbiasx_hpp
#define popart_popx_op_addbiasx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/reducesumx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AddBiasOpx : public Opx {
 public:
  AddBiasOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::AddBiasOpx"), nullptr) {}
};

class AddBiasInplaceOpx : public AddBiasOpx {
 public:
  AddBiasInplaceOpx(Op*, Devicex*)
      : AddBiasOpx(emulator::absent<Op*>("popart::popx::AddBiasInplaceOpx"), nullptr) {}
};

class AddBiasDataGradOpx : public Opx {
 public:
  AddBiasDataGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::AddBiasDataGradOpx"), nullptr) {}
};

class AddBiasBiasGradOpx : public ReduceSumOpx {
 public:
  AddBiasBiasGradOpx(Op*, Devicex*)
      : ReduceSumOpx(emulator::absent<Op*>("popart::popx::AddBiasBiasGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_addbiasx_hpp
