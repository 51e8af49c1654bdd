#ifndef popart_transforms_overlapio_hpp
#define popart_transforms_overlapio_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>

namespace popart {

class Graph;
class Ir;
class OverlapIO : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::OverlapIO::id"); }
  OverlapIO() = default;
  bool apply(Graph&) const override { emulator::missing("popart::OverlapIO::apply"); }
  std::size_t getId() const override { emulator::missing("popart::OverlapIO::getId"); }
  std::string getName() const override { return "OverlapIO"; }
  static std::map<ExchangeStrategy, std::set<PipelineStage>> overlapIORequired(Ir&) {
    emulator::missing("popart::OverlapIO::overlapIORequired");
  }
};

}  // namespace popart

#endif  // popart_transforms_overlapio_hpp
