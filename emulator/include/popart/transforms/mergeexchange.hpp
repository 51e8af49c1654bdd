#ifndef popart_transforms_mergeexchange_hpp
#define popart_transforms_mergeexchange_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Op;
class MergeExchange : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::MergeExchange::id"); }
  MergeExchange() = default;
  bool apply(Graph&) const override { emulator::missing("popart::MergeExchange::apply"); }
  std::vector<Op*> applyToOps(Graph&, const std::set<OpId>) const {
    emulator::missing("popart::MergeExchange::applyToOps");
  }
  std::size_t getId() const override { emulator::missing("popart::MergeExchange::getId"); }
  std::string getName() const override { return "MergeExchange"; }
};

}  // namespace popart

#endif  // popart_transforms_mergeexchange_hpp
