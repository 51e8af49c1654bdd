#ifndef popart_transforms_mergecopies_hpp
#define popart_transforms_mergecopies_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class MergeCopies : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::MergeCopies::id"); }
  MergeCopies() = default;
  bool apply(Graph&) const override { emulator::missing("popart::MergeCopies::apply"); }
  std::size_t getId() const override { emulator::missing("popart::MergeCopies::getId"); }
  std::string getName() const override { return "MergeCopies"; }
};

}  // namespace popart

#endif  // popart_transforms_mergecopies_hpp
