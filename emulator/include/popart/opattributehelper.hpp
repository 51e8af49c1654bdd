#ifndef popart_opattributehelper_hpp
#define popart_opattributehelper_hpp

#include <cstdint>
#include <iosfwd>
#include <map>
#include <popart/basicoptionals.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/pointercomparators.hpp>
#include <set>
#include <tuple>
#include <vector>

namespace popart {

class AliasModel;
class InheritOpAttributeHelper {
 public:
  using InfoSortPriority = int;
  enum ConnectedOpRelation { Producer = 0, Consumer, N };
  struct TraversalTensorInfo {
    ConnectedOpRelation relation;
    int64_t distance;
    int64_t sortValue() const {
      emulator::missing("popart::InheritOpAttributeHelper::TraversalTensorInfo::sortValue");
    }
    bool operator<(const TraversalTensorInfo&) const {
      emulator::missing("popart::InheritOpAttributeHelper::TraversalTensorInfo::operator<");
    }
  };
  InheritOpAttributeHelper(Op*, bool, AliasModel&) {
    emulator::missing("popart::InheritOpAttributeHelper");
  }
  static void apply(Op*, bool, AliasModel&) {
    emulator::missing("popart::InheritOpAttributeHelper::apply");
  }
};

inline std::ostream& operator<<(std::ostream&, InheritOpAttributeHelper::ConnectedOpRelation) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&,
                                const InheritOpAttributeHelper::TraversalTensorInfo&) {
  emulator::missing("popart::operator<<");
}

}  // namespace popart

#endif  // popart_opattributehelper_hpp
