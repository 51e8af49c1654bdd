#ifndef popart_popx_op_splitx_hpp
#define popart_popx_op_splitx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SplitOpx : public Opx {
 public:
  SplitOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SplitOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_splitx_hpp
