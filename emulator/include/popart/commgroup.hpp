#ifndef popart_commgroup_hpp
#define popart_commgroup_hpp

#include <ostream>

namespace popart {

class ReplicaGrouping;

enum class CommGroupType { All = 0, Consecutive, Orthogonal, None, N };

/// Which replicas communicate: all, neighbours, those a stride apart, or each alone.
class CommGroup {
 public:
  CommGroup() = default;
  CommGroup(CommGroupType type_, unsigned groupSize) : type(type_), replicaGroupSize(groupSize) {}
  /// Throws `error` where no type says the same.
  explicit CommGroup(const ReplicaGrouping& grouping);
  ReplicaGrouping toReplicaGrouping(unsigned numReplicas) const;

  bool operator==(const CommGroup& other) const {
    return type == other.type && replicaGroupSize == other.replicaGroupSize;
  }
  bool operator!=(const CommGroup& other) const { return !(*this == other); }

  CommGroupType type = CommGroupType::All;
  unsigned replicaGroupSize = 0;
};

std::ostream& operator<<(std::ostream& out, CommGroupType type);
std::ostream& operator<<(std::ostream& out, const CommGroup& group);

}  // namespace popart

#endif  // popart_commgroup_hpp
