#ifndef popart_popx_op_popartlstmx_hpp
#define popart_popx_op_popartlstmx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/logging.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/popx/irlowering.hpp>
#include <popart/popx/op/lstmxutil.hpp>
#include <popart/popx/opx.hpp>
#include <popart/tensordebuginfo.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <popnn/Lstm.hpp>
#include <popops/Zero.hpp>
#include <set>

namespace popart {

class Op;
class PopartLSTMGradOp;
class PopartLSTMOp;

namespace popx {

template <typename LSTMOP>
class PopartLSTMOpxBase : public Opx {
 public:
  PopartLSTMOpxBase(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::PopartLSTMOpxBase"), nullptr) {}

 protected:
  popnn::lstm::LstmParams createLSTMParams(const LSTMOP&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::createLSTMParams");
  }
  poplar::Tensor createBiasesInput() const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::createBiasesInput");
  }
  poplar::Tensor getBiases(poplar::program::Sequence&) const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::getBiases");
  }
  popnn::lstm::LstmState createInitialStateInput() const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::createInitialStateInput");
  }
  popnn::lstm::LstmState getInitialState(poplar::program::Sequence&) const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::getInitialState");
  }
  poplar::Tensor getSeqLens() const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::getSeqLens");
  }
  popnn::lstm::LstmWeights getWeights(poplar::program::Sequence&) const {
    emulator::missing("popart::popx::PopartLSTMOpxBase::getWeights");
  }
};

class PopartLSTMOpx : public PopartLSTMOpxBase<PopartLSTMOp> {
 public:
  PopartLSTMOpx(Op*, Devicex*)
      : PopartLSTMOpxBase(emulator::absent<Op*>("popart::popx::PopartLSTMOpx"), nullptr) {}
};

class PopartLSTMGradOpx : public PopartLSTMOpxBase<PopartLSTMGradOp> {
 public:
  PopartLSTMGradOpx(Op*, Devicex*)
      : PopartLSTMOpxBase(emulator::absent<Op*>("popart::popx::PopartLSTMGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_popartlstmx_hpp
