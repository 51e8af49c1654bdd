#ifndef popart_popx_op_callx_hpp
#define popart_popx_op_callx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/op/subgraphx.hpp>
#include <popart/popx/opx.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CallOpx : public SubgraphOpx {
 public:
  CallOpx(Op*, Devicex*) : SubgraphOpx(emulator::absent<Op*>("popart::popx::CallOpx"), nullptr) {}
};

class CallGradOpx : public CallOpx {
 public:
  CallGradOpx(Op*, Devicex*)
      : CallOpx(emulator::absent<Op*>("popart::popx::CallGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_callx_hpp
