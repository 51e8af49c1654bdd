#ifndef popart_popx_op_ctcbeamsearchx_hpp
#define popart_popx_op_ctcbeamsearchx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CtcBeamSearchDecoderOpx : public Opx {
 public:
  CtcBeamSearchDecoderOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::CtcBeamSearchDecoderOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_ctcbeamsearchx_hpp
