#ifndef popart_transforms_stochasticrounding_hpp
#define popart_transforms_stochasticrounding_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class StochasticRounding : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::StochasticRounding::id"); }
  StochasticRounding() = default;
  bool apply(Graph&) const override { emulator::missing("popart::StochasticRounding::apply"); }
  std::size_t getId() const override { emulator::missing("popart::StochasticRounding::getId"); }
  std::string getName() const override { return "StochasticRounding"; }
};

}  // namespace popart

#endif  // popart_transforms_stochasticrounding_hpp
