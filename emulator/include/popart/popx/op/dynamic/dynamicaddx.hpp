#ifndef popart_popx_op_dynamic_dynamicaddx_hpp
#define popart_popx_op_dynamic_dynamicaddx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/dynamic/dynamicupdatex.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DynamicAddOpx : public DynamicUpdateOpx {
 public:
  DynamicAddOpx(Op*, Devicex*)
      : DynamicUpdateOpx(emulator::absent<Op*>("popart::popx::DynamicAddOpx"), nullptr) {}
};

class DynamicAddInplaceOpx : public DynamicAddOpx {
 public:
  DynamicAddInplaceOpx(Op*, Devicex*)
      : DynamicAddOpx(emulator::absent<Op*>("popart::popx::DynamicAddInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_dynamic_dynamicaddx_hpp
