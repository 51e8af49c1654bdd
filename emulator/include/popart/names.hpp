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

namespace onnx {
class AttributeProto;
class GraphProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

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

// Of each convolution of several.
using ConvInputs = std::vector<TensorId>;
using ConvDilations = std::vector<std::int64_t>;
using ConvGroup = std::int64_t;
using ConvPads = std::vector<std::int64_t>;
using ConvStrides = std::vector<std::int64_t>;
using ConvTruncs = std::vector<std::int64_t>;
using MultiConvInputs = std::vector<ConvInputs>;
using MultiConvDilations = std::vector<ConvDilations>;
using MultiConvGroups = std::vector<ConvGroup>;
using MultiConvPads = std::vector<ConvPads>;
using MultiConvStrides = std::vector<ConvStrides>;

constexpr VGraphId unusedVGraphId = -1;
constexpr PipelineStage unusedPipelineStage = -1;
constexpr ExecutionPhase unusedExecutionPhase = -2;
constexpr BatchSerializedPhase unusedBatchSerializedPhase = -2;
constexpr OpxGrowPartId unusedGrowPartId = -1;

enum StochasticRoundingMethod { DifferingSeeds = 1, IdenticalSeeds = 2 };

class Op;
class Graph;
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
using ReplEqFun =
    std::function<std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap>(const ReplEqInputMap&)>;
using ReplEqGraphFuns = std::function<ReplEqFun(const Graph*)>;

using onnxAttPtr = const onnx::AttributeProto*;
using OnnxTensors = std::map<TensorId, onnx::TensorProto>;
using Node = onnx::NodeProto;
using OnnxTensorPtrs = std::map<TensorId, const onnx::TensorProto*>;

/// Ops that run before another.
using OpsBeforeKey = std::map<Op*, std::vector<Op*>, POpCmp>;

using CollectiveBalancedReorderId = int;
using ReplicatedTensorShardingIndicesIndex = int;
using ReplicatedTensorShardingGroupId = int;

// Attributes with a meaning of their own.
constexpr const char* sVirtualGraphAttribute = "__ipu_number";
constexpr const char* sExecutionPhaseAttribute = "__execution_phase";
constexpr const char* sExecutionContextAttribute = "__execution_context";
constexpr const char* sInplaceOpNames = "__inplace_op_names";
constexpr const char* sInplaceOpPriorities = "__inplace_op_priorities";
constexpr const char* sRecomputeOutputAttribute = "__recompute_output_in_backward_pass";
constexpr const char* sPartialsTypeAttribute = "__partials_type";
constexpr const char* sAvailMemAttribute = "__available_memory";
constexpr const char* sPipelineStageAttribute = "__pipeline_stage";
constexpr const char* sEnableConvDitheringAttribute = "__enable_conv_dithering";
constexpr const char* sOutputTensorLocationAttribute = "__output_tensor_location";
constexpr const char* sOutputTypeAttribute = "__output_type";
constexpr const char* sExcludePatternsAttribute = "__exclude_patterns";
constexpr const char* sSchedulePriority = "__schedule_priority";
constexpr const char* sTileSetAttribute = "__tile_set";
constexpr const char* sOutlineAttribute = "__outline";
constexpr const char* sDebugInfoId = "__debug_info_id";
constexpr const char* sExchangeStrategyAttribute = "__exchange_strategy";
constexpr const char* sReplicatedStreamMode = "__replicated_stream_mode";
constexpr const char* sCommGroupType = "__comm_group_type";
constexpr const char* sCommGroupSize = "__comm_group_size";
constexpr const char* sVariableSettings = "__variable_settings";
constexpr const char* sVariableRetrievalMode = "__variable_retrieval_mode";
constexpr const char* sSerializeMatMulModeAttribute = "__serialize_matmul_mode";
constexpr const char* sSerializeMatMulFactorAttribute = "__serialize_matmul_factor";
constexpr const char* sSerializeMatMulPrecisionAttribute = "__serialize_matmul_precision";
constexpr const char* sNameDelimiter = "/";
constexpr const char* sSerializeMatMulMode_None = "none";
constexpr const char* sSerializeMatMulMode_InputChannels = "input_channels";
constexpr const char* sSerializeMatMulMode_ReducingDim = "reducing_dim";
constexpr const char* sSerializeMatMulMode_OutputChannels = "output_channels";
constexpr const char* gradientStoreStreamPrefix = "gradientStore__";
constexpr const char* gradientLoadStreamPrefix = "gradientLoad__";
constexpr const char* weightLoadStreamPrefix = "weightLoad__";
constexpr const char* onnxDebugIdInputMetaDataKey = "__debug_id/input/";
constexpr const char* sCollectiveOperator = "__collectiveOperator";
constexpr const char* sCollectiveCommGroup = "__collectiveCommGroup";
constexpr const char* sCollectiveReplicaGrouping = "__collectiveReplicaGrouping";
constexpr const char* sReplicatedTensorSharding = "__replicatedTensorSharding";
constexpr const char* sReplicationFactor = "__replicationFactor";

}  // namespace popart

#endif  // popart_names_hpp
