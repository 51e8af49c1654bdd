#ifndef popart_popx_op_sumx_hpp
#define popart_popx_op_sumx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SumOpx : public Opx {
 public:
  SumOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SumOpx"), nullptr) {}
};

class SumArgGradOpx : public Opx {
 public:
  SumArgGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SumArgGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sumx_hpp
