#ifndef popart_transforms_clipweightgradientsbynorm_hpp
#define popart_transforms_clipweightgradientsbynorm_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <vector>

namespace popart {

class Op;
class Graph;
class ClipWeightGradientsByNorm : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::ClipWeightGradientsByNorm::id"); }
  ClipWeightGradientsByNorm() = default;
  bool apply(Graph&) const override {
    emulator::missing("popart::ClipWeightGradientsByNorm::apply");
  }
  std::size_t getId() const override {
    emulator::missing("popart::ClipWeightGradientsByNorm::getId");
  }
  std::string getName() const override { return "ClipWeightGradientsByNorm"; }
  static std::vector<std::vector<Op*>> findGradientClippingGroups(const Graph&) {
    emulator::missing("popart::ClipWeightGradientsByNorm::findGradientClippingGroups");
  }
};

}  // namespace popart

#endif  // popart_transforms_clipweightgradientsbynorm_hpp
