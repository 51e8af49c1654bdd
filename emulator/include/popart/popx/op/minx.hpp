#ifndef popart_popx_op_minx_hpp
#define popart_popx_op_minx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class MinOpx : public Opx {
 public:
  MinOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::MinOpx"), nullptr) {}
};

class MinArgGradOpx : public Opx {
 public:
  MinArgGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::MinArgGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_minx_hpp
