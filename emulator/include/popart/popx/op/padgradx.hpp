#ifndef popart_popx_op_padgradx_hpp
#define popart_popx_op_padgradx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/slicex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class PadGradOpx : public SliceOpx {
 public:
  PadGradOpx(Op*, Devicex*)
      : SliceOpx(emulator::absent<Op*>("popart::popx::PadGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_padgradx_hpp
