#ifndef popart_popx_op_fmodx_hpp
#define popart_popx_op_fmodx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class FmodOpx : public ElementWiseBinaryOpx {
 public:
  FmodOpx(Op*, Devicex*)
      : ElementWiseBinaryOpx(emulator::absent<Op*>("popart::popx::FmodOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_fmodx_hpp
