#ifndef popart_popx_op_subtractx_hpp
#define popart_popx_op_subtractx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/op/reducesumx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SubtractOpx : public ElementWiseBinaryOpx {
 public:
  SubtractOpx(Op*, Devicex*)
      : ElementWiseBinaryOpx(emulator::absent<Op*>("popart::popx::SubtractOpx"), nullptr) {}
};

class SubtractArg0GradOpx : public ReduceSumOpx {
 public:
  SubtractArg0GradOpx(Op*, Devicex*)
      : ReduceSumOpx(emulator::absent<Op*>("popart::popx::SubtractArg0GradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_subtractx_hpp
