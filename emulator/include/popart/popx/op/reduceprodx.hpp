#ifndef popart_popx_op_reduceprodx_hpp
#define popart_popx_op_reduceprodx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceProdOpx : public Opx {
 public:
  ReduceProdOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceProdOpx"), nullptr) {}
};

class ReduceProdGradOpx : public Opx {
 public:
  ReduceProdGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceProdGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reduceprodx_hpp
