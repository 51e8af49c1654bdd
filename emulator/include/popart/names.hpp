// The types and names that PopART's headers share.
#ifndef popart_names_hpp
#define popart_names_hpp

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace popart {

using Shape = std::vector<std::int64_t>;
using Rank = int;
using TensorId = std::string;  // of a tensor of the graph
using DnfTensorIds = std::vector<std::set<TensorId>>;
using OpName = std::string;
using OpDomain = std::string;
using OpType = std::string;
using OpVersion = unsigned;
using OpId = int;
using ReturnPeriod = int;
using ReplicaIndex = int;
using SubgraphIndex = int;
using SubgraphPartIndex = int;
using OpxGrowPartId = int;
using InIndex = int;
using OutIndex = int;
using ReplicatedTensorShardingIndices = std::set<std::pair<std::set<InIndex>, std::set<OutIndex>>>;
using PipelineCycle = std::int64_t;
using VGraphId = std::int64_t;
using PipelineStage = std::int64_t;
using ExecutionPhase = std::int64_t;
using BatchSerializedPhase = std::int64_t;
using StashIndex = std::int64_t;
using RemoteBufferId = std::int64_t;
using RemoteBufferIndex = std::int64_t;
using RandomReferenceId = std::int64_t;

constexpr VGraphId unusedVGraphId = -1;
constexpr PipelineStage unusedPipelineStage = -1;
constexpr ExecutionPhase unusedExecutionPhase = -2;
constexpr BatchSerializedPhase unusedBatchSerializedPhase = -2;
constexpr OpxGrowPartId unusedGrowPartId = -1;

enum StochasticRoundingMethod { DifferingSeeds = 1, IdenticalSeeds = 2 };

class Op;
class Graph;
class Tensor;
enum class TensorType;
struct POpCmp;

namespace view {
class Region;
using Regions = std::vector<Region>;
using RegMap = std::function<Regions(const Region&)>;
using LowBounds = std::vector<std::int64_t>;
using UppBounds = std::vector<std::int64_t>;
}  // namespace view

using TensorInterval = std::pair<std::size_t, std::size_t>;
using TensorIntervalList = std::vector<TensorInterval>;

using IsReplicaEqual = bool;
using ReplEqInputMap = std::map<InIndex, IsReplicaEqual>;
using ReplEqOutputMap = std::map<InIndex, IsReplicaEqual>;
using ReplEqModifiedInputMap = ReplEqInputMap;

// Attributes with a meaning of their own.
constexpr const char* sVirtualGraphAttribute = "__ipu_number";
constexpr const char* sExecutionPhaseAttribute = "__execution_phase";
constexpr const char* sPipelineStageAttribute = "__pipeline_stage";
constexpr const char* sRecomputeOutputAttribute = "__recompute_output_in_backward_pass";
constexpr const char* sPartialsTypeAttribute = "__partials_type";
constexpr const char* sAvailMemAttribute = "__available_memory";
constexpr const char* sSchedulePriority = "__schedule_priority";
constexpr const char* sNameDelimiter = "/";

}  // namespace popart

#endif  // popart_names_hpp
