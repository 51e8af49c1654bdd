#ifndef popart_popx_op_randomnormalx_hpp
#define popart_popx_op_randomnormalx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RandomNormalOpx : public Opx {
 public:
  RandomNormalOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::RandomNormalOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_randomnormalx_hpp
