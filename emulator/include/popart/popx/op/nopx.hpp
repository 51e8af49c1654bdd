#ifndef popart_popx_op_nopx_hpp
#define popart_popx_op_nopx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class NopOpx : public Opx {
 public:
  NopOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::NopOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_nopx_hpp
