#ifndef popart_popx_op_onehotx_hpp
#define popart_popx_op_onehotx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class OnehotOpx : public Opx {
 public:
  OnehotOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::OnehotOpx"), nullptr) {}
};

class OnehotGradOpx : public Opx {
 public:
  OnehotGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::OnehotGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_onehotx_hpp
