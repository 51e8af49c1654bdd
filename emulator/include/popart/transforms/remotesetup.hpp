#ifndef popart_transforms_remotesetup_hpp
#define popart_transforms_remotesetup_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <utility>

namespace popart {

struct POpIntCmp;
class Graph;
class Op;
using RemoteArgOpMap = std::map<TensorId, std::set<std::pair<Op*, InIndex>, POpIntCmp>>;

using RemoteOpArgMap = std::map<std::pair<Op*, InIndex>, std::set<TensorId>, POpIntCmp>;

using RemoteArgBufferMap = std::map<TensorId, std::pair<RemoteBufferId, RemoteBufferIndex>>;

class RemoteSetup : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::RemoteSetup::id"); }
  static void getRemoteArgMapping(Graph&, RemoteArgOpMap&, RemoteOpArgMap&, RemoteArgBufferMap&) {
    emulator::missing("popart::RemoteSetup::getRemoteArgMapping");
  }
  RemoteSetup() = default;
  bool apply(Graph&) const override { emulator::missing("popart::RemoteSetup::apply"); }
  std::size_t getId() const override { emulator::missing("popart::RemoteSetup::getId"); }
  std::string getName() const override { return "RemoteSetup"; }
};

}  // namespace popart

#endif  // popart_transforms_remotesetup_hpp
