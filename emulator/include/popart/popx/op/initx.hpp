#ifndef popart_popx_op_initx_hpp
#define popart_popx_op_initx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class InitOpx : public Opx {
 public:
  InitOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::InitOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_initx_hpp
