#ifndef popart_popx_op_randomuniformx_hpp
#define popart_popx_op_randomuniformx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RandomUniformOpx : public Opx {
 public:
  RandomUniformOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::RandomUniformOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_randomuniformx_hpp
