#ifndef popart_transforms_hostiosetup_hpp
#define popart_transforms_hostiosetup_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class HostIOSetup : public Transform {
 public:
  static std::size_t id(int) { emulator::missing("popart::HostIOSetup::id"); }
  HostIOSetup(int) { emulator::missing("popart::HostIOSetup"); }
  bool apply(Graph&) const override { emulator::missing("popart::HostIOSetup::apply"); }
  std::size_t getId() const override { emulator::missing("popart::HostIOSetup::getId"); }
  std::string getName() const override { emulator::missing("popart::HostIOSetup::getName"); }
};

}  // namespace popart

#endif  // popart_transforms_hostiosetup_hpp
