#ifndef popart_popx_op_batchnormx_hpp
#define popart_popx_op_batchnormx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/normx.hpp>
#include <popart/vendored/optional.hpp>
#include <poplar/Tensor.hpp>
#include <tuple>

namespace popart {

class Op;

namespace popx {

class Devicex;
class BatchNormOpx : public NormOpx {
 public:
  BatchNormOpx(Op*, Devicex*)
      : NormOpx(emulator::absent<Op*>("popart::popx::BatchNormOpx"), nullptr) {}
};

class BatchNormGradOpx : public NormOpx {
 public:
  BatchNormGradOpx(Op*, Devicex*)
      : NormOpx(emulator::absent<Op*>("popart::popx::BatchNormGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_batchnormx_hpp
