#ifndef popart_transforms_serializematmuls_hpp
#define popart_transforms_serializematmuls_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class SerializeMatMuls : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::SerializeMatMuls::id"); }
  SerializeMatMuls() = default;
  bool apply(Graph&) const override { emulator::missing("popart::SerializeMatMuls::apply"); }
  std::size_t getId() const override { emulator::missing("popart::SerializeMatMuls::getId"); }
  std::string getName() const override { return "SerializeMatMuls"; }
};

}  // namespace popart

#endif  // popart_transforms_serializematmuls_hpp
