#ifndef popart_popx_op_isinfx_hpp
#define popart_popx_op_isinfx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class IsInfx : public ElementWiseUnaryOpx {
 public:
  IsInfx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::IsInfx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_isinfx_hpp
