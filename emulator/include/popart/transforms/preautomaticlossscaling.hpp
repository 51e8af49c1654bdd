#ifndef popart_transforms_preautomaticlossscaling_hpp
#define popart_transforms_preautomaticlossscaling_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class PreAutomaticLossScale : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::PreAutomaticLossScale::id"); }
  PreAutomaticLossScale() = default;
  bool apply(Graph&) const override { emulator::missing("popart::PreAutomaticLossScale::apply"); }
  std::size_t getId() const override { emulator::missing("popart::PreAutomaticLossScale::getId"); }
  std::string getName() const override {
    emulator::missing("popart::PreAutomaticLossScale::getName");
  }
};

}  // namespace popart

#endif  // popart_transforms_preautomaticlossscaling_hpp
