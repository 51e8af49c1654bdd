#ifndef popart_popx_op_splineweightingx_hpp
#define popart_popx_op_splineweightingx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SplineWeightingx : public Opx {
 public:
  SplineWeightingx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SplineWeightingx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_splineweightingx_hpp
