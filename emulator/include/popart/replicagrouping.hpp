#ifndef popart_replicagrouping_hpp
#define popart_replicagrouping_hpp

#include <ostream>
#include <string>
#include <vector>

namespace popart {

/// Replicas in groups of one size, whose members are a stride apart.
class ReplicaGrouping {
 public:
  /// Throws `error` unless size * stride divides the number of replicas; a group of one has the
  /// stride 1.
  ReplicaGrouping(unsigned numReplicas, unsigned stride, unsigned groupSize);
  /// One group of all.
  ReplicaGrouping(unsigned numReplicas);

  unsigned getNumReplicas() const { return numReplicas_; }
  unsigned getStride() const { return stride_; }
  unsigned getGroupSize() const { return groupSize_; }
  unsigned getNumGroups() const { return numReplicas_ / groupSize_; }

  // These throw `error` for a replica, a group or an index that there is not.
  unsigned getGroupAt(unsigned replica) const;
  unsigned getIndexInGroupAt(unsigned replica) const;
  unsigned getReplicaAt(unsigned group, unsigned index = 0) const;
  std::vector<unsigned> getReplicasAt(unsigned group) const;

  /// The grouping whose groups have one member of each group. Throws `error` where none has equal
  /// strides.
  ReplicaGrouping getTranspose() const;

  std::string str() const;
  bool operator==(const ReplicaGrouping& other) const;
  bool operator!=(const ReplicaGrouping& other) const { return !(*this == other); }

 private:
  unsigned numReplicas_, stride_, groupSize_;
};

std::ostream& operator<<(std::ostream& out, const ReplicaGrouping& grouping);

}  // namespace popart

#endif  // popart_replicagrouping_hpp
