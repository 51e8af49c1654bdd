#ifndef popart_transforms_autodiff_hpp
#define popart_transforms_autodiff_hpp

#include <cstddef>
#include <memory>
#include <popart/bwdgraphinfo.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/sessionoptions.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/transforms/transform.hpp>
#include <popart/vendored/optional.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Ir;
class Autodiff : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::Autodiff::id"); }
  Autodiff() { emulator::missing("popart::Autodiff"); }
  using TensorIds = std::vector<TensorId>;
  using FwdGraphId = GraphId;
  bool apply(Graph&) const override { emulator::missing("popart::Autodiff::apply"); }
  virtual bool applyToIr(Ir&) const { emulator::missing("popart::Autodiff::applyToIr"); }
  virtual FwdGraphToBwdGraphInfo apply(Ir&, const GraphId&, const nonstd::optional<TensorIds>&,
                                       const nonstd::optional<TensorIds>&,
                                       const FwdGraphToBwdGraphInfo&, AutodiffStitchStrategy) {
    emulator::missing("popart::Autodiff::apply");
  }
  virtual BwdGraphInfo createBwdGraph(Ir&, const GraphId&, const nonstd::optional<TensorIds>&,
                                      const nonstd::optional<TensorIds>&,
                                      const FwdGraphToBwdGraphInfo&) {
    emulator::missing("popart::Autodiff::createBwdGraph");
  }
  virtual BwdGraphInfo stitch(Ir&, const GraphId&, const BwdGraphInfo&, AutodiffStitchStrategy,
                              const nonstd::optional<std::vector<InIndex>>&) {
    emulator::missing("popart::Autodiff::stitch");
  }
  std::size_t getId() const override { emulator::missing("popart::Autodiff::getId"); }
  std::string getName() const override { return "Autodiff"; }
};

}  // namespace popart

#endif  // popart_transforms_autodiff_hpp
