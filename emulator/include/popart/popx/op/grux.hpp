#ifndef popart_popx_op_grux_hpp
#define popart_popx_op_grux_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <popart/vendored/optional.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/Gru.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class GRUOpx : public Opx {
 public:
  GRUOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::GRUOpx"), nullptr) {}
  static poplar::Tensor reshapePoplibWeightsForOnnx(poplar::Tensor) {
    emulator::missing("popart::popx::GRUOpx::reshapePoplibWeightsForOnnx");
  }
  static poplar::Tensor reshapePoplibBiasesForOnnx(poplar::Tensor) {
    emulator::missing("popart::popx::GRUOpx::reshapePoplibBiasesForOnnx");
  }
};

class GRUGradOpx : public Opx {
 public:
  GRUGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::GRUGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_grux_hpp
