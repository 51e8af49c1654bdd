#ifndef popart_popx_op_adadeltaupdaterx_hpp
#define popart_popx_op_adadeltaupdaterx_hpp

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
class AdaDeltaUpdaterOpx : public Opx {
 public:
  AdaDeltaUpdaterOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::AdaDeltaUpdaterOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_adadeltaupdaterx_hpp
