#ifndef popart_replicatedstreammode_hpp
#define popart_replicatedstreammode_hpp

#include <ostream>
#include <popart/emulator/absent.hpp>

namespace popart {

enum class ReplicatedStreamMode { Broadcast, Replicate };

inline std::ostream& operator<<(std::ostream&, const ReplicatedStreamMode&) {
  emulator::missing("popart::operator<<");
}

}  // namespace popart

#endif  // popart_replicatedstreammode_hpp
