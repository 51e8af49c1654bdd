#ifndef popart_transforms_mergeduplicateops_hpp
#define popart_transforms_mergeduplicateops_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class MergeDuplicateOps : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::MergeDuplicateOps::id"); }
  MergeDuplicateOps() = default;
  bool apply(Graph&) const override { emulator::missing("popart::MergeDuplicateOps::apply"); }
  std::size_t getId() const override { emulator::missing("popart::MergeDuplicateOps::getId"); }
  std::string getName() const override { return "MergeDuplicateOps"; }
};

}  // namespace popart

#endif  // popart_transforms_mergeduplicateops_hpp
