#ifndef popart_transforms_prune_hpp
#define popart_transforms_prune_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/op.hpp>
#include <popart/tensor.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Tensor;
class Op;
class Graph;
class PruneHelper {
 public:
  PruneHelper(Graph*) { emulator::missing("popart::PruneHelper"); }
  void setFront(std::vector<Tensor*>) { emulator::missing("popart::PruneHelper::setFront"); }
  void setRequired(OpSet) { emulator::missing("popart::PruneHelper::setRequired"); }
  void analyze() { emulator::missing("popart::PruneHelper::analyze"); }
  const std::vector<Op*>& getOpsToDelete() const {
    emulator::missing("popart::PruneHelper::getOpsToDelete");
  }
  const std::vector<Tensor*>& getTensorsToDelete() const {
    emulator::missing("popart::PruneHelper::getTensorsToDelete");
  }
  void deleteOps(const std::vector<Op*>&) const {
    emulator::missing("popart::PruneHelper::deleteOps");
  }
  void deleteTensors(const std::vector<Tensor*>&) const {
    emulator::missing("popart::PruneHelper::deleteTensors");
  }
};

class Prune : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::Prune::id"); }
  Prune() = default;
  bool apply(Graph&) const override { emulator::missing("popart::Prune::apply"); }
  std::size_t getId() const override { emulator::missing("popart::Prune::getId"); }
  std::string getName() const override { return "Prune"; }
};

}  // namespace popart

#endif  // popart_transforms_prune_hpp
