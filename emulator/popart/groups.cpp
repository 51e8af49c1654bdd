// Groups of replicas.
#include <popart/commgroup.hpp>
#include <popart/error.hpp>
#include <popart/replicagrouping.hpp>
#include <sstream>

namespace popart {

ReplicaGrouping::ReplicaGrouping(unsigned numReplicas, unsigned stride, unsigned groupSize)
    : numReplicas_(numReplicas), stride_(groupSize == 1 ? 1 : stride), groupSize_(groupSize) {
  const bool valid = numReplicas > 0 && stride > 0 && groupSize > 0 && groupSize <= numReplicas &&
                     numReplicas % (stride_ * groupSize) == 0;
  if (!valid) {
    throw error(
        "ReplicaGrouping: expected a group size times a stride that divides {} replicas, got {} "
        "times {}",
        numReplicas, groupSize, stride);
  }
}

ReplicaGrouping::ReplicaGrouping(unsigned numReplicas)
    : ReplicaGrouping(numReplicas, 1, numReplicas) {}

namespace {

void check(const char* what, unsigned value, unsigned count) {
  if (value >= count)
    throw error("ReplicaGrouping: expected a {} below {}, got {}", what, count, value);
}

}  // namespace

unsigned ReplicaGrouping::getGroupAt(unsigned replica) const {
  check("replica", replica, numReplicas_);
  return replica / (stride_ * groupSize_) * stride_ + replica % stride_;
}

unsigned ReplicaGrouping::getIndexInGroupAt(unsigned replica) const {
  check("replica", replica, numReplicas_);
  return replica % (stride_ * groupSize_) / stride_;
}

unsigned ReplicaGrouping::getReplicaAt(unsigned group, unsigned index) const {
  check("group", group, getNumGroups());
  check("index", index, groupSize_);
  return group / stride_ * stride_ * groupSize_ + group % stride_ + index * stride_;
}

std::vector<unsigned> ReplicaGrouping::getReplicasAt(unsigned group) const {
  std::vector<unsigned> out;
  for (unsigned i = 0; i < groupSize_; ++i) out.push_back(getReplicaAt(group, i));
  return out;
}

ReplicaGrouping ReplicaGrouping::getTranspose() const {
  const unsigned size = getNumGroups();
  if (stride_ == 1) return ReplicaGrouping(numReplicas_, size == 1 ? 1 : groupSize_, size);
  if (stride_ * groupSize_ == numReplicas_) return ReplicaGrouping(numReplicas_, 1, size);
  throw error(
      "ReplicaGrouping::getTranspose: expected groups whose transpose has one stride, got {}",
      str());
}

std::string ReplicaGrouping::str() const {
  std::ostringstream out;
  out << "ReplicaGrouping(numReplicas=" << numReplicas_ << ", stride=" << stride_
      << ", groupSize=" << groupSize_ << ')';
  return out.str();
}

bool ReplicaGrouping::operator==(const ReplicaGrouping& other) const {
  return numReplicas_ == other.numReplicas_ && stride_ == other.stride_ &&
         groupSize_ == other.groupSize_;
}

std::ostream& operator<<(std::ostream& out, const ReplicaGrouping& grouping) {
  return out << grouping.str();
}

CommGroup::CommGroup(const ReplicaGrouping& grouping) : replicaGroupSize(grouping.getGroupSize()) {
  const unsigned size = grouping.getGroupSize(), replicas = grouping.getNumReplicas();
  if (size == replicas) {
    type = CommGroupType::All;
    replicaGroupSize = 0;
  } else if (size == 1) {
    type = CommGroupType::None;
    replicaGroupSize = 0;
  } else if (grouping.getStride() == 1) {
    type = CommGroupType::Consecutive;
  } else if (grouping.getStride() * size == replicas) {
    type = CommGroupType::Orthogonal;
  } else {
    throw error("CommGroup: expected groups of neighbours, or as far apart as can be, got {}",
                grouping);
  }
}

ReplicaGrouping CommGroup::toReplicaGrouping(unsigned numReplicas) const {
  switch (type) {
    case CommGroupType::All:
      return ReplicaGrouping(numReplicas);
    case CommGroupType::Consecutive:
      return ReplicaGrouping(numReplicas, 1, replicaGroupSize);
    case CommGroupType::Orthogonal:
      return ReplicaGrouping(numReplicas, numReplicas / (replicaGroupSize ? replicaGroupSize : 1),
                             replicaGroupSize);
    case CommGroupType::None:
      return ReplicaGrouping(numReplicas, 1, 1);
    default:
      throw error("CommGroup::toReplicaGrouping: expected a type of group, got {}", type);
  }
}

std::ostream& operator<<(std::ostream& out, CommGroupType type) {
  constexpr const char* kNames[] = {"All", "Consecutive", "Orthogonal", "None", "N"};
  return out << kNames[static_cast<int>(type)];
}

std::ostream& operator<<(std::ostream& out, const CommGroup& group) {
  return out << "CommGroup(type=" << group.type << ", replicaGroupSize=" << group.replicaGroupSize
             << ')';
}

}  // namespace popart
