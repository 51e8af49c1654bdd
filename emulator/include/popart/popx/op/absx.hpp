#ifndef popart_popx_op_absx_hpp
#define popart_popx_op_absx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AbsOpx : public ElementWiseUnaryOpx {
 public:
  AbsOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::AbsOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_absx_hpp
