#ifndef popart_popx_op_cumsumx_hpp
#define popart_popx_op_cumsumx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CumSumOpx : public Opx {
 public:
  CumSumOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::CumSumOpx"), nullptr) {}
};

class CumSumGradOpx : public Opx {
 public:
  CumSumGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::CumSumGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_cumsumx_hpp
