#ifndef popart_transforms_streamingmemory_hpp
#define popart_transforms_streamingmemory_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class StreamingMemory : public Transform {
 public:
  static std::size_t id(int) { emulator::missing("popart::StreamingMemory::id"); }
  StreamingMemory(int) { emulator::missing("popart::StreamingMemory"); }
  bool apply(Graph&) const override { emulator::missing("popart::StreamingMemory::apply"); }
  std::size_t getId() const override { emulator::missing("popart::StreamingMemory::getId"); }
  std::string getName() const override { emulator::missing("popart::StreamingMemory::getName"); }
};

}  // namespace popart

#endif  // popart_transforms_streamingmemory_hpp
