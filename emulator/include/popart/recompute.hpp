#ifndef popart_recompute_hpp
#define popart_recompute_hpp

#include <popart/emulator/absent.hpp>

namespace popart {

enum class RecomputationType;

class Graph;

namespace recompute {

inline void autoAnnotate(Graph&, RecomputationType) {
  emulator::missing("popart::recompute::autoAnnotate");
}

inline void annotateRecomputeAll(Graph&) {
  emulator::missing("popart::recompute::annotateRecomputeAll");
}

}  // namespace recompute
}  // namespace popart

#endif  // popart_recompute_hpp
