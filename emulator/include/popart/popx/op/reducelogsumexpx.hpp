#ifndef popart_popx_op_reducelogsumexpx_hpp
#define popart_popx_op_reducelogsumexpx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceLogSumExpOpx : public Opx {
 public:
  ReduceLogSumExpOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceLogSumExpOpx"), nullptr) {}
};

class ReduceLogSumExpGradOpx : public Opx {
 public:
  ReduceLogSumExpGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceLogSumExpGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducelogsumexpx_hpp
