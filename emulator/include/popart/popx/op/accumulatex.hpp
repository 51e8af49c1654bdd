#ifndef popart_popx_op_accumulatex_hpp
#define popart_popx_op_accumulatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/varupdatex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>
#include <popops/DynamicSlice.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AccumulateBaseOpx : public VarUpdateOpx {
 public:
  AccumulateBaseOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::AccumulateBaseOpx"), nullptr) {}
};

class AccumulateOpx : public AccumulateBaseOpx {
 public:
  AccumulateOpx(Op*, Devicex*)
      : AccumulateBaseOpx(emulator::absent<Op*>("popart::popx::AccumulateOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::AccumulateOpx::grow");
  }
};

class RescaleAccumulateOpx : public AccumulateBaseOpx {
 public:
  RescaleAccumulateOpx(Op*, Devicex*)
      : AccumulateBaseOpx(emulator::absent<Op*>("popart::popx::RescaleAccumulateOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::RescaleAccumulateOpx::grow");
  }
};

class SparseAccumulateOpx : public AccumulateBaseOpx {
 public:
  SparseAccumulateOpx(Op*, Devicex*)
      : AccumulateBaseOpx(emulator::absent<Op*>("popart::popx::SparseAccumulateOpx"), nullptr) {}
  void grow(poplar::program::Sequence&) const override {
    emulator::missing("popart::popx::SparseAccumulateOpx::grow");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_accumulatex_hpp
