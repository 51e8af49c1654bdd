#ifndef popart_popx_op_shapeddropoutx_hpp
#define popart_popx_op_shapeddropoutx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ShapedDropoutOpx : public Opx {
 public:
  ShapedDropoutOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ShapedDropoutOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_shapeddropoutx_hpp
