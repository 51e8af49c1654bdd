#ifndef popart_popx_op_divx_hpp
#define popart_popx_op_divx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DivOpx : public ElementWiseBinaryOpx {
 public:
  DivOpx(Op*, Devicex*)
      : ElementWiseBinaryOpx(emulator::absent<Op*>("popart::popx::DivOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_divx_hpp
