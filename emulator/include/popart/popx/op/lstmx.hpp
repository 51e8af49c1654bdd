#ifndef popart_popx_op_lstmx_hpp
#define popart_popx_op_lstmx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <popart/vendored/optional.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/Lstm.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LSTMOpx : public Opx {
 public:
  LSTMOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::LSTMOpx"), nullptr) {}
  static poplar::Tensor reshapePoplibWeightsForOnnx(poplar::Tensor, bool) {
    emulator::missing("popart::popx::LSTMOpx::reshapePoplibWeightsForOnnx");
  }
  popnn::lstm::LstmParams createLSTMParams() const {
    emulator::missing("popart::popx::LSTMOpx::createLSTMParams");
  }
};

class LSTMGradOpx : public Opx {
 public:
  LSTMGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::LSTMGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_lstmx_hpp
