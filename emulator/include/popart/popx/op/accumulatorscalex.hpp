#ifndef popart_popx_op_accumulatorscalex_hpp
#define popart_popx_op_accumulatorscalex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/varupdatex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AccumulatorScaleOpx : public VarUpdateOpx {
 public:
  AccumulatorScaleOpx(Op*, Devicex*)
      : VarUpdateOpx(emulator::absent<Op*>("popart::popx::AccumulatorScaleOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_accumulatorscalex_hpp
