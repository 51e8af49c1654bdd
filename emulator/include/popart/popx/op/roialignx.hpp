#ifndef popart_popx_op_roialignx_hpp
#define popart_popx_op_roialignx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RoiAlignOpx : public Opx {
 public:
  RoiAlignOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::RoiAlignOpx"), nullptr) {}
};

class RoiAlignGradOpx : public Opx {
 public:
  RoiAlignGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::RoiAlignGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_roialignx_hpp
