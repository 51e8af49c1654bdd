#ifndef popart_popx_op_multiconvx_hpp
#define popart_popx_op_multiconvx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/convbasex.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class MultiConvOpx : public MultiConvBaseOpx {
 public:
  MultiConvOpx(Op*, Devicex*)
      : MultiConvBaseOpx(emulator::absent<Op*>("popart::popx::MultiConvOpx"), nullptr) {}
};

class MultiConvWeightsGradOpx : public MultiConvWeightsGradBaseOpx {
 public:
  MultiConvWeightsGradOpx(Op*, Devicex*)
      : MultiConvWeightsGradBaseOpx(emulator::absent<Op*>("popart::popx::MultiConvWeightsGradOpx"),
                                    nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_multiconvx_hpp
