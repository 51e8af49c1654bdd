#ifndef popart_popx_op_convx_hpp
#define popart_popx_op_convx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/convbasex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ConvOpx : public MultiConvBaseOpx {
 public:
  ConvOpx(Op*, Devicex*)
      : MultiConvBaseOpx(emulator::absent<Op*>("popart::popx::ConvOpx"), nullptr) {}
};

class ConvWeightsGradOpx : public MultiConvWeightsGradBaseOpx {
 public:
  ConvWeightsGradOpx(Op*, Devicex*)
      : MultiConvWeightsGradBaseOpx(emulator::absent<Op*>("popart::popx::ConvWeightsGradOpx"),
                                    nullptr) {}
};

class ConvFlipWeightsGradOpx : public Opx {
 public:
  ConvFlipWeightsGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ConvFlipWeightsGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_convx_hpp
