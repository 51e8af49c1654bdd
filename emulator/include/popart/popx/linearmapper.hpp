#ifndef popart_popx_linearmapper_hpp
#define popart_popx_linearmapper_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>

namespace popart {
namespace popx {

class LinearMapper {
 public:
  void mapTensor(poplar::Graph&, poplar::Tensor&) {
    emulator::missing("popart::popx::LinearMapper::mapTensor");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_linearmapper_hpp
