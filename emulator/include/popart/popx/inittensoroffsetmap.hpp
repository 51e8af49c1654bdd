#ifndef popart_popx_inittensoroffsetmap_hpp
#define popart_popx_inittensoroffsetmap_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>

namespace popart {
namespace popx {

class InitTensorOffsetMap {
 public:
  std::size_t getOffset(poplar::Graph&) {
    emulator::missing("popart::popx::InitTensorOffsetMap::getOffset");
  }
  void setOffset(poplar::Graph&, const std::size_t) {
    emulator::missing("popart::popx::InitTensorOffsetMap::setOffset");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_inittensoroffsetmap_hpp
