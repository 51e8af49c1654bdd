#ifndef popart_transforms_inferpipelinestages_hpp
#define popart_transforms_inferpipelinestages_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class InferPipelineStages : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::InferPipelineStages::id"); }
  InferPipelineStages() = default;
  bool apply(Graph&) const override { emulator::missing("popart::InferPipelineStages::apply"); }
  std::size_t getId() const override { emulator::missing("popart::InferPipelineStages::getId"); }
  std::string getName() const override { return "InferPipelineStages"; }
};

}  // namespace popart

#endif  // popart_transforms_inferpipelinestages_hpp
