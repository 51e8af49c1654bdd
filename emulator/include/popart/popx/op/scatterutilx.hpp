#ifndef popart_popx_op_scatterutilx_hpp
#define popart_popx_op_scatterutilx_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popart {

class TensorInfo;

namespace popx {

class Opx;

namespace scatterutilx {

inline poplar::Tensor linspace(poplar::Graph&, int, int, const poplar::DebugNameAndId&, int = 1,
                               const poplar::Type& = poplar::INT) {
  emulator::missing("popart::popx::scatterutilx::linspace");
}

inline poplar::Tensor matchRank(poplar::Tensor, poplar::Tensor, unsigned int) {
  emulator::missing("popart::popx::scatterutilx::matchRank");
}

inline poplar::Tensor broadcastShape(poplar::Tensor, poplar::Tensor) {
  emulator::missing("popart::popx::scatterutilx::broadcastShape");
}

inline poplar::Tensor linearizeIndices(const Opx&, poplar::program::Sequence&, poplar::Tensor, int,
                                       unsigned int) {
  emulator::missing("popart::popx::scatterutilx::linearizeIndices");
}

inline poplar::Tensor growScatter(const popart::popx::Opx&, poplar::program::Sequence&,
                                  poplar::Graph&, const poplar::Tensor&, const poplar::Tensor&,
                                  const poplar::Tensor&, const popart::TensorInfo&,
                                  const popops::SlicePlan&, int64_t) {
  emulator::missing("popart::popx::scatterutilx::growScatter");
}

inline void growScatter(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
                        const poplar::Tensor&, const poplar::Tensor&, int64_t,
                        const poplar::DebugNameAndId&) {
  emulator::missing("popart::popx::scatterutilx::growScatter");
}

inline poplar::Tensor growScatterUpdateGrad(const Opx&, poplar::program::Sequence&, poplar::Graph&,
                                            const poplar::Tensor&, const poplar::Tensor&,
                                            const popart::Shape&, int64_t, const popops::SlicePlan&,
                                            const poplar::DebugNameAndId&) {
  emulator::missing("popart::popx::scatterutilx::growScatterUpdateGrad");
}

}  // namespace scatterutilx
}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scatterutilx_hpp
