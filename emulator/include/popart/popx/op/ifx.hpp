#ifndef popart_popx_op_ifx_hpp
#define popart_popx_op_ifx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/preparedtensor.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class IfOpx : public Opx {
 public:
  IfOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::IfOpx"), nullptr) {}
};

class IfGradOpx : public IfOpx {
 public:
  IfGradOpx(Op*, Devicex*) : IfOpx(emulator::absent<Op*>("popart::popx::IfGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_ifx_hpp
