#ifndef popart_popx_namesx_hpp
#define popart_popx_namesx_hpp

#include <map>
#include <popart/names.hpp>
#include <utility>

namespace popart {
namespace popx {

using PreparedCopyTensor = std::pair<poplar::Tensor, poplar::Tensor>;

using PreparedCopyTensors = std::map<InIndex, PreparedCopyTensor>;

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_namesx_hpp
