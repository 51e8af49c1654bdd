#ifndef popart_transforms_interipucopy_hpp
#define popart_transforms_interipucopy_hpp

#include <cstddef>
#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class InterIpuCopy : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::InterIpuCopy::id"); }
  InterIpuCopy() = default;
  bool apply(Graph&) const override { emulator::missing("popart::InterIpuCopy::apply"); }
  std::size_t getId() const override { emulator::missing("popart::InterIpuCopy::getId"); }
  std::string getName() const override { return "InterIpuCopy"; }
};

}  // namespace popart

#endif  // popart_transforms_interipucopy_hpp
