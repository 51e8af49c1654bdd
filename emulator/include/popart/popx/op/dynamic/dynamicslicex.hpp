#ifndef popart_popx_op_dynamic_dynamicslicex_hpp
#define popart_popx_op_dynamic_dynamicslicex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DynamicSliceOpx : public Opx {
 public:
  DynamicSliceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::DynamicSliceOpx"), nullptr) {}
};

class DynamicSliceInplaceOpx : public DynamicSliceOpx {
 public:
  DynamicSliceInplaceOpx(Op*, Devicex*)
      : DynamicSliceOpx(emulator::absent<Op*>("popart::popx::DynamicSliceInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_dynamic_dynamicslicex_hpp
