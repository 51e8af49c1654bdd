#ifndef popart_transforms_mergeloops_hpp
#define popart_transforms_mergeloops_hpp

#include <cstddef>
#include <functional>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class MergeLoops : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::MergeLoops::id"); }
  MergeLoops() = default;
  bool apply(Graph&) const override { emulator::missing("popart::MergeLoops::apply"); }
  std::size_t getId() const override { emulator::missing("popart::MergeLoops::getId"); }
  std::string getName() const override { return "MergeLoops"; }
};

}  // namespace popart

#endif  // popart_transforms_mergeloops_hpp
