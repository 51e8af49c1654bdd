#ifndef popart_popx_op_iotilecopyx_hpp
#define popart_popx_op_iotilecopyx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class IoTileCopyOpx : public Opx {
 public:
  IoTileCopyOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::IoTileCopyOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_iotilecopyx_hpp
