#ifndef popart_popx_op_basesortx_hpp
#define popart_popx_op_basesortx_hpp

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
struct FullSortResult {
  FullSortResult(poplar::Tensor, poplar::Tensor, int) {
    emulator::missing("popart::popx::FullSortResult");
  }
  poplar::Tensor indices;
  poplar::Tensor values;
  int axis;
};

class BaseSortOpx : public Opx {
 public:
  BaseSortOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::BaseSortOpx"), nullptr) {}

 protected:
  FullSortResult growFullSortResult(poplar::program::Sequence&) const {
    emulator::missing("popart::popx::BaseSortOpx::growFullSortResult");
  }
  poplar::Tensor growIndicesSort(poplar::program::Sequence&) const {
    emulator::missing("popart::popx::BaseSortOpx::growIndicesSort");
  }
  unsigned int axis;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_basesortx_hpp
