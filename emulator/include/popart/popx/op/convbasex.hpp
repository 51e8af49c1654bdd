#ifndef popart_popx_op_convbasex_hpp
#define popart_popx_op_convbasex_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/error.hpp>
#include <popart/logging.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/convbase.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>
#include <poplin/ConvParams.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {
namespace popx {

class Devicex;
class MultiConvBaseOpx : public Opx {
 public:
  MultiConvBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::MultiConvBaseOpx"), nullptr) {}
  poplar::OptionFlags getConvOptions(int, std::string = "") const {
    emulator::missing("popart::popx::MultiConvBaseOpx::getConvOptions");
  }
  std::string getFwdPassFlagString() const {
    emulator::missing("popart::popx::MultiConvBaseOpx::getFwdPassFlagString");
  }
  virtual std::vector<poplar::Tensor> convolve(poplar::program::Sequence&,
                                               const std::vector<poplar::Tensor>&) const {
    emulator::missing("popart::popx::MultiConvBaseOpx::convolve");
  }
  virtual poplar::Tensor createDataInput(const poplar::DebugNameAndId&, int) const {
    emulator::missing("popart::popx::MultiConvBaseOpx::createDataInput");
  }
  virtual poplar::Tensor createWeightsInput(const poplar::DebugNameAndId&, int) const {
    emulator::missing("popart::popx::MultiConvBaseOpx::createWeightsInput");
  }
  bool isWeightsInIndex(InIndex) const {
    emulator::missing("popart::popx::MultiConvBaseOpx::isWeightsInIndex");
  }
  bool isDataInIndex(InIndex) const {
    emulator::missing("popart::popx::MultiConvBaseOpx::isDataInIndex");
  }
  void verifyCacheSizeUnchanged(size_t) const {
    emulator::missing("popart::popx::MultiConvBaseOpx::verifyCacheSizeUnchanged");
  }
};

inline ConvParameters canonicalizeConvParams(const ConvParameters&) {
  emulator::missing("popart::popx::canonicalizeConvParams");
}

inline ConvParameters getConvGradParameters(const ConvParameters&) {
  emulator::missing("popart::popx::getConvGradParameters");
}

inline ConvParameters getConvWeightUpdateParameters(const ConvParameters&) {
  emulator::missing("popart::popx::getConvWeightUpdateParameters");
}

inline poplin::ConvParams getPoplarConvParams(const ConvParameters&) {
  emulator::missing("popart::popx::getPoplarConvParams");
}

inline ConvParameters convertPoplarConvParameters(const poplin::ConvParams&) {
  emulator::missing("popart::popx::convertPoplarConvParameters");
}

inline poplar::Tensor reshapeOnnxWeightsForPoplar(const poplar::Tensor&, std::size_t, std::size_t,
                                                  const ConvParameters&) {
  emulator::missing("popart::popx::reshapeOnnxWeightsForPoplar");
}

class MultiConvWeightsGradBaseOpx : public Opx {
 public:
  MultiConvWeightsGradBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::MultiConvWeightsGradBaseOpx"), nullptr) {}
  virtual std::vector<poplar::Tensor> calculateWeightDeltas(poplar::program::Sequence&) const {
    emulator::missing("popart::popx::MultiConvWeightsGradBaseOpx::calculateWeightDeltas");
  }
  poplar::OptionFlags getConvOptions(int = 0) const {
    emulator::missing("popart::popx::MultiConvWeightsGradBaseOpx::getConvOptions");
  }
  void verifyCacheSizeUnchanged(size_t) const {
    emulator::missing("popart::popx::MultiConvWeightsGradBaseOpx::verifyCacheSizeUnchanged");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_convbasex_hpp
