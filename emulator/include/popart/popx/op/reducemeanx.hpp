#ifndef popart_popx_op_reducemeanx_hpp
#define popart_popx_op_reducemeanx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceMeanOpx : public Opx {
 public:
  ReduceMeanOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceMeanOpx"), nullptr) {}
};

class ReduceMeanGradOpx : public Opx {
 public:
  ReduceMeanGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceMeanGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducemeanx_hpp
