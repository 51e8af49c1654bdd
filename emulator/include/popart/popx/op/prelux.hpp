#ifndef popart_popx_op_prelux_hpp
#define popart_popx_op_prelux_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class PReluOpx : public ElementWiseBinaryOpx {
 public:
  PReluOpx(Op*, Devicex*)
      : ElementWiseBinaryOpx(emulator::absent<Op*>("popart::popx::PReluOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_prelux_hpp
