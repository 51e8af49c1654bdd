#ifndef popart_popx_op_sortutilx_hpp
#define popart_popx_op_sortutilx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>

namespace popart {
namespace popx {
namespace sortutilx {

inline poplar::Tensor getIotaTensor(poplar::Graph&, const poplar::Tensor&, unsigned int,
                                    poplar::program::Sequence&, const poplar::DebugNameAndId&) {
  emulator::missing("popart::popx::sortutilx::getIotaTensor");
}

}  // namespace sortutilx
}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sortutilx_hpp
