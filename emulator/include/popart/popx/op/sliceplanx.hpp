#ifndef popart_popx_op_sliceplanx_hpp
#define popart_popx_op_sliceplanx_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/vendored/optional.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>
#include <popops/DynamicSlice.hpp>

namespace popart {

class TensorInfo;

namespace popx {

enum class SlicePlanUsedFor { Slice, Update, UpdateAdd, UpdateMax, UpdateMul, CombinedSliceUpdate };

inline poplar::OptionFlags createSlicePlanOptions(SlicePlanUsedFor, nonstd::optional<float> = {}) {
  emulator::missing("popart::popx::createSlicePlanOptions");
}

inline popops::SlicePlan createSlicePlan(const poplar::Graph&, const popart::TensorInfo&,
                                         const popart::TensorInfo&, const poplar::OptionFlags&,
                                         nonstd::optional<size_t> = {}, size_t = 1) {
  emulator::missing("popart::popx::createSlicePlan");
}

inline poplar::Tensor createDataTensor(poplar::Graph&, const popart::TensorInfo&,
                                       const popops::SlicePlan&, unsigned int, unsigned int, bool,
                                       const poplar::DebugNameAndId&) {
  emulator::missing("popart::popx::createDataTensor");
}

inline poplar::Tensor createUpdateTensor(poplar::Graph&, const popart::TensorInfo&,
                                         const popart::TensorInfo&, const popops::SlicePlan&,
                                         unsigned int, unsigned int, bool,
                                         const poplar::DebugNameAndId&) {
  emulator::missing("popart::popx::createUpdateTensor");
}

inline poplar::Tensor createIndicesTensor(poplar::Graph&, const popart::TensorInfo&,
                                          const popops::SlicePlan&, unsigned int, unsigned int,
                                          bool, const poplar::DebugNameAndId&) {
  emulator::missing("popart::popx::createIndicesTensor");
}

inline poplar::Tensor alignToAxis(const poplar::Tensor&, const popart::Shape&, unsigned int,
                                  unsigned int) {
  emulator::missing("popart::popx::alignToAxis");
}

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sliceplanx_hpp
