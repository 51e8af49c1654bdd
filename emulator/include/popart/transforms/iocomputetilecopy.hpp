#ifndef popart_transforms_iocomputetilecopy_hpp
#define popart_transforms_iocomputetilecopy_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/tensorlocation.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class IoComputeTileCopy : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::IoComputeTileCopy::id"); }
  IoComputeTileCopy() = default;
  bool apply(Graph&) const override { emulator::missing("popart::IoComputeTileCopy::apply"); }
  std::size_t getId() const override { emulator::missing("popart::IoComputeTileCopy::getId"); }
  std::string getName() const override { return "IoComputeTileCopy"; }
};

}  // namespace popart

#endif  // popart_transforms_iocomputetilecopy_hpp
