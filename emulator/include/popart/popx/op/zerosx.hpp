#ifndef popart_popx_op_zerosx_hpp
#define popart_popx_op_zerosx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ZerosOpx : public Opx {
 public:
  ZerosOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ZerosOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_zerosx_hpp
