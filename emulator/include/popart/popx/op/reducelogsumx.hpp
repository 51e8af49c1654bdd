#ifndef popart_popx_op_reducelogsumx_hpp
#define popart_popx_op_reducelogsumx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceLogSumOpx : public Opx {
 public:
  ReduceLogSumOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceLogSumOpx"), nullptr) {}
};

class ReduceLogSumGradOpx : public Opx {
 public:
  ReduceLogSumGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceLogSumGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducelogsumx_hpp
