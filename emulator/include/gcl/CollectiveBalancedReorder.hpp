#ifndef gcl_CollectiveBalancedReorder_hpp
#define gcl_CollectiveBalancedReorder_hpp

#include <cstdint>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>
#include <vector>

namespace gcl {

/// The order of a tensor's elements for collective operations, to the host: each replica's part is
/// padded to the same size.
class CollectiveBalancedHostRearrangement {
 public:
  unsigned getReplicationFactor() const { return replication_factor_; }
  std::size_t getTotalElementsPerReplica() const { return per_replica_; }
  const std::vector<poplar::Interval>& getGatheredToRefSlices() const { return slices_; }
  void setReplicationFactor(unsigned factor) { replication_factor_ = factor; }
  void setTotalElementsPerReplica(std::size_t elements) { per_replica_ = elements; }
  void setGatheredToRefSlices(std::vector<poplar::Interval> slices) { slices_ = std::move(slices); }

  std::size_t getNumRearrangedTensorElems() const { return per_replica_ * replication_factor_; }
  /// From the tensor's own order to that of collective operations, and back. Elements have
  /// `elemByteSize` bytes; padding becomes zero.
  void rearrangeForCollective(const char* in, std::int64_t inSize, char* out, std::int64_t outSize,
                              std::int64_t elemByteSize) const;
  void undoRearrangeForCollective(const char* in, std::int64_t inSize, char* out,
                                  std::int64_t outSize, std::int64_t elemByteSize) const;
  void rearrangeForCollective(const char* in, char* out, std::int64_t elemByteSize) const;
  void undoRearrangeForCollective(const char* in, char* out, std::int64_t elemByteSize) const;

 private:
  std::size_t numReferenceElements() const;

  unsigned replication_factor_ = 1;
  std::size_t per_replica_ = 0;
  std::vector<poplar::Interval> slices_;  // of the rearranged elements, in the tensor's order
};

/// Pads the elements of a tensor so that each replica of a group has an equal part of them, in
/// whole grains.
class CollectiveBalancedReorder {
 public:
  CollectiveBalancedReorder(poplar::Graph& graph, const poplar::Tensor& tensor,
                            unsigned replicationFactor, const poplar::DebugNameAndId& dnai,
                            bool allowElementMap = false, unsigned grainSize = 64);

  /// A variable for a replica's part, and one for the parts of all replicas: {elements}.
  poplar::Tensor createReplicaSlice(const poplar::Type& type);
  poplar::Tensor createCollectivesTensor(const poplar::Type& type, const std::string& debugPrefix);
  /// A tensor of all parts in the order and the shape of the reference.
  poplar::Tensor undoRearrangeForCollective(const poplar::Tensor& tensor) const;

  std::size_t getNumRearrangedTensorElems() const { return host_.getNumRearrangedTensorElems(); }
  std::vector<std::size_t> getReferenceShape() const { return reference_.shape(); }
  const CollectiveBalancedHostRearrangement& getHostRearrangement() const { return host_; }

 private:
  poplar::Graph& graph_;
  poplar::Tensor reference_;
  std::string name_;
  CollectiveBalancedHostRearrangement host_;
};

}  // namespace gcl

#endif  // gcl_CollectiveBalancedReorder_hpp
