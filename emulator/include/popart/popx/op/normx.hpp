#ifndef popart_popx_op_normx_hpp
#define popart_popx_op_normx_hpp

#include <algorithm>
#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;

}
}  // namespace popart

namespace poplar {

using Shape = std::vector<std::size_t>;

}  // namespace poplar

namespace popart {
namespace popx {

class NormOpx : public Opx {
 public:
  NormOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::NormOpx"), nullptr) {}

 protected:
  poplar::Tensor convertInvSdToVar(poplar::program::Sequence&, const poplar::Tensor&, float,
                                   const poplar::Type) const {
    emulator::missing("popart::popx::NormOpx::convertInvSdToVar");
  }
  poplar::Tensor convertVarToInvSd(poplar::program::Sequence&, const poplar::Tensor&, float,
                                   const poplar::Type) const {
    emulator::missing("popart::popx::NormOpx::convertVarToInvSd");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_normx_hpp
