#ifndef popart_popx_op_groupnormx_hpp
#define popart_popx_op_groupnormx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/normx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class GroupNormOpx : public NormOpx {
 public:
  GroupNormOpx(Op*, Devicex*)
      : NormOpx(emulator::absent<Op*>("popart::popx::GroupNormOpx"), nullptr) {}
};

class GroupNormGradOpx : public NormOpx {
 public:
  GroupNormGradOpx(Op*, Devicex*)
      : NormOpx(emulator::absent<Op*>("popart::popx::GroupNormGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_groupnormx_hpp
