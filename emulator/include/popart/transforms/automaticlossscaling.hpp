#ifndef popart_transforms_automaticlossscaling_hpp
#define popart_transforms_automaticlossscaling_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Op;
class AliasModel;
class Graph;
class AutomaticLossScale : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::AutomaticLossScale::id"); }
  static Op* executeOpNTimesEveryMTimes(Op*, unsigned int, unsigned int,
                                        const std::map<InIndex, OutIndex>&,
                                        const std::map<OutIndex, float>&, AliasModel&) {
    emulator::missing("popart::AutomaticLossScale::executeOpNTimesEveryMTimes");
  }
  AutomaticLossScale() = default;
  bool apply(Graph&) const override { emulator::missing("popart::AutomaticLossScale::apply"); }
  std::size_t getId() const override { emulator::missing("popart::AutomaticLossScale::getId"); }
  std::string getName() const override { return "AutomaticLossScale"; }
};

}  // namespace popart

#endif  // popart_transforms_automaticlossscaling_hpp
