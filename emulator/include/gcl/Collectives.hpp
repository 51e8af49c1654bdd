// Collective operations over the replicas of a graph. A graph of the emulator has one replica:
// every group has one member, and each operation does what it does there.
#ifndef gcl_Collectives_hpp
#define gcl_Collectives_hpp

#include <cstdint>
#include <iosfwd>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace gcl {

enum class CollectiveOperator {
  ADD,
  MEAN,
  MUL,
  MIN,
  MAX,
  LOGICAL_AND,  // of bools
  LOGICAL_OR,   // of bools
  SQUARE_ADD,   // the sum of squares
  LOCAL,        // of a reduce-scatter: each replica's own data
};
std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op);
/// Throws poputil::poplibs_error for what is no operator's name.
std::istream& operator>>(std::istream& is, CollectiveOperator& op);

enum class CommGroupType {
  ALL,          // one group of all replicas
  CONSECUTIVE,  // groups of replicas in a row, `stride` apart
  ORTHOGONAL,   // a replica of each consecutive group
};

/// The replicas that take part in an operation: groups of `groupSize`, 0 for all replicas.
class CommGroup {
 public:
  CommGroup() : CommGroup(CommGroupType::ALL, 0) {}
  CommGroup(const CommGroupType& groupType, unsigned groupSize, unsigned replicaStride = 1)
      : type_(groupType), size_(groupSize), stride_(replicaStride) {}
  CommGroupType type() const { return type_; }
  unsigned replicaGroupSize() const { return size_; }
  unsigned replicaStride() const { return stride_; }

 private:
  CommGroupType type_;
  unsigned size_, stride_;
};

/// A range of data that an IPU of a replica holds: `offset` elements into those of IPU `index`.
struct Chunk {
  poplar::Tensor tensor;
  unsigned index = 0;
  unsigned offset = 0;

  Chunk() {}
  Chunk(poplar::Tensor tensor_, unsigned index_, unsigned offset_)
      : tensor(tensor_), index(index_), offset(offset_) {}
};
struct Chunks {
  poplar::Tensor originalInput;
  std::vector<Chunk> chunks;

  Chunks() {}
  explicit Chunks(unsigned size) : chunks(size) {}
};

// Each takes a group, or is of all replicas. Throws poputil::poplibs_error for a group of more
// replicas than there are, and for an operator that has no meaning there or for the type.

/// The reduction over the replicas of a group, in every one of them.
poplar::Tensor allReduceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     CollectiveOperator op, poplar::program::Sequence& prog,
                                     const CommGroup& group,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor allReduceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     CollectiveOperator op, poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> allReduceCrossReplica(
    poplar::Graph& graph, const std::vector<poplar::Tensor>& datas, CollectiveOperator op,
    poplar::program::Sequence& prog, const CommGroup& group,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> allReduceCrossReplica(poplar::Graph& graph,
                                                  const std::vector<poplar::Tensor>& datas,
                                                  CollectiveOperator op,
                                                  poplar::program::Sequence& prog,
                                                  const poplar::DebugContext& debugContext = {},
                                                  const poplar::OptionFlags& options = {});

void allReduceToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination, CollectiveOperator op,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allReduceToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination, CollectiveOperator op,
                                        poplar::program::Sequence& prog,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allReduceToDestinationCrossReplica(poplar::Graph& graph,
                                        const std::vector<poplar::Tensor>& datas,
                                        const std::vector<poplar::Tensor>& destinations,
                                        CollectiveOperator op, poplar::program::Sequence& prog,
                                        const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});

void allReduceInPlaceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const CommGroup& group,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const CommGroup& group,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});

/// The reduction of `data`, of one dimension: of R replicas each gets the R-th part.
poplar::Tensor reduceScatterCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                         CollectiveOperator op, poplar::program::Sequence& prog,
                                         const CommGroup& group,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});
poplar::Tensor reduceScatterCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                         CollectiveOperator op, poplar::program::Sequence& prog,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> reduceScatterCrossReplica(
    poplar::Graph& graph, const std::vector<poplar::Tensor>& datas, CollectiveOperator op,
    poplar::program::Sequence& prog, const CommGroup& group,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
void reduceScatterToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                            const poplar::Tensor& destination,
                                            CollectiveOperator op, poplar::program::Sequence& prog,
                                            const CommGroup& group,
                                            const poplar::DebugContext& debugContext = {},
                                            const poplar::OptionFlags& options = {});
void reduceScatterToDestinationCrossReplica(poplar::Graph& graph,
                                            const std::vector<poplar::Tensor>& datas,
                                            const std::vector<poplar::Tensor>& destinations,
                                            CollectiveOperator op, poplar::program::Sequence& prog,
                                            const CommGroup& group,
                                            const poplar::DebugContext& debugContext = {},
                                            const poplar::OptionFlags& options = {});

/// The data of all replicas of a group: [replicas, ...].
poplar::Tensor allGatherCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog, const CommGroup& group,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor allGatherCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> allGatherCrossReplica(poplar::Graph& graph,
                                                  const std::vector<poplar::Tensor>& datas,
                                                  poplar::program::Sequence& prog,
                                                  const CommGroup& group,
                                                  const poplar::DebugContext& debugContext = {},
                                                  const poplar::OptionFlags& options = {});
void allGatherToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allGatherToDestinationCrossReplica(poplar::Graph& graph,
                                        const std::vector<poplar::Tensor>& datas,
                                        const std::vector<poplar::Tensor>& destinations,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});

/// Row r of the result is this replica's row of replica r. `data` has as many rows as the group has
/// replicas.
poplar::Tensor allToAllCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                    poplar::program::Sequence& prog, const CommGroup& group,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {});
poplar::Tensor allToAllCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {});

/// The data of replica `rootReplica` of each group, in all replicas of it.
poplar::Tensor broadcastCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog, const CommGroup& group,
                                     unsigned rootReplica = 0,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor broadcastCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog, unsigned rootReplica = 0,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});

/// Reduces `toReduce` [IPUs, ...] along its first dimension; every row of the result has the
/// reduction, on the tiles of that row of `toReduce`.
poplar::Tensor allReduceWithinReplica(poplar::Graph& graph, const poplar::Tensor& toReduce,
                                      CollectiveOperator op, poplar::program::Sequence& prog,
                                      const poplar::DebugContext& debugContext = {},
                                      const poplar::OptionFlags& options = {});
/// The reduction as one range for each row, on tiles of that row.
Chunks reduceScatterWithinReplica(poplar::Graph& graph, const poplar::Tensor& toReduce,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
/// All ranges together, once for each of them: [ranges, elements].
poplar::Tensor allGatherWithinReplica(poplar::Graph& graph, const Chunks& toGather,
                                      poplar::program::Sequence& prog,
                                      const poplar::DebugContext& debugContext = {},
                                      const poplar::OptionFlags& options = {});
/// The ranges in the order of their elements, as one tensor of one dimension.
poplar::Tensor concatChunks(Chunks chunks);

}  // namespace gcl

#endif  // gcl_Collectives_hpp
