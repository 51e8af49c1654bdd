#ifndef popart_ndindices_hpp
#define popart_ndindices_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class TensorInfo;
class NDIndices {
 public:
  NDIndices(const TensorInfo&) { emulator::missing("popart::NDIndices"); }
  std::vector<int64_t> unflatten(int64_t) const {
    emulator::missing("popart::NDIndices::unflatten");
  }
  int64_t flatten(const std::vector<int64_t>&) const {
    emulator::missing("popart::NDIndices::flatten");
  }
};

}  // namespace popart

#endif  // popart_ndindices_hpp
