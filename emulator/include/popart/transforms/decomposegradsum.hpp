#ifndef popart_transforms_decomposegradsum_hpp
#define popart_transforms_decomposegradsum_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/decomposesum.hpp>
#include <string>
#include <vector>

namespace popart {

class DecomposeGradSum : public DecomposeSum {
 public:
  static std::size_t id() { emulator::missing("popart::DecomposeGradSum::id"); }
};

}  // namespace popart

#endif  // popart_transforms_decomposegradsum_hpp
