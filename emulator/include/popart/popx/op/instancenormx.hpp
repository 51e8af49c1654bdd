#ifndef popart_popx_op_instancenormx_hpp
#define popart_popx_op_instancenormx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/normx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class InstanceNormOpx : public NormOpx {
 public:
  InstanceNormOpx(Op*, Devicex*)
      : NormOpx(emulator::absent<Op*>("popart::popx::InstanceNormOpx"), nullptr) {}
};

class InstanceNormGradOpx : public NormOpx {
 public:
  InstanceNormGradOpx(Op*, Devicex*)
      : NormOpx(emulator::absent<Op*>("popart::popx::InstanceNormGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_instancenormx_hpp
