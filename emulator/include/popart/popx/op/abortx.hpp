#ifndef popart_popx_op_abortx_hpp
#define popart_popx_op_abortx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AbortOpx : public Opx {
 public:
  AbortOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::AbortOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_abortx_hpp
