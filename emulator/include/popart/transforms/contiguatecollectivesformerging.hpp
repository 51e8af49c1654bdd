#ifndef popart_transforms_contiguatecollectivesformerging_hpp
#define popart_transforms_contiguatecollectivesformerging_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Op;
class ContiguateCollectivesTransform : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::ContiguateCollectivesTransform::id"); }
  ContiguateCollectivesTransform() = default;
  bool apply(Graph&) const override {
    emulator::missing("popart::ContiguateCollectivesTransform::apply");
  }
  std::vector<Op*> applyToOps(Graph&, const std::set<OpId>) const {
    emulator::missing("popart::ContiguateCollectivesTransform::applyToOps");
  }
  std::size_t getId() const override {
    emulator::missing("popart::ContiguateCollectivesTransform::getId");
  }
  std::string getName() const override { return "ContiguateCollectivesTransform"; }
  template <typename BaseType>
  static bool checkCollectiveOp(BaseType*, BaseType*) {
    emulator::missing("popart::ContiguateCollectivesTransform::checkCollectiveOp");
  }
  template <typename BaseType>
  static std::set<BaseType*, POpCmp> lookForMatchingOps(BaseType*, const std::vector<Op*>&,
                                                        std::set<Op*, POpCmp>&) {
    emulator::missing("popart::ContiguateCollectivesTransform::lookForMatchingOps");
  }
  template <typename BaseType>
  void processOp(BaseType*, const std::vector<Op*>&, std::set<Op*, POpCmp>&) const {
    emulator::missing("popart::ContiguateCollectivesTransform::processOp");
  }
};

}  // namespace popart

#endif  // popart_transforms_contiguatecollectivesformerging_hpp
