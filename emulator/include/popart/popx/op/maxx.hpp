#ifndef popart_popx_op_maxx_hpp
#define popart_popx_op_maxx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class MaxOpx : public Opx {
 public:
  MaxOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::MaxOpx"), nullptr) {}
};

class MaxArgGradOpx : public Opx {
 public:
  MaxArgGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::MaxArgGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_maxx_hpp
