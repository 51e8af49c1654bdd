// The operators of domain ai.graphcore as methods.
#ifndef popart_emulator_graphcorebuilder_hpp
#define popart_emulator_graphcorebuilder_hpp

#include <popart/attributes.hpp>
#include <popart/commgroup.hpp>
#include <popart/domainopset.hpp>
#include <popart/op.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/op/scatterreduce.hpp>

namespace popart {

class AiGraphcoreOpset1 : public DomainOpSet {
 public:
  explicit AiGraphcoreOpset1(Builder& builder) : DomainOpSet(builder) {}
  int getOpsetVersion() const override { return 1; }

  TensorId copyvarupdate(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> batchnormalization(const std::vector<TensorId>& args, unsigned num_outputs,
                                           float epsilon = 1e-05f, float momentum = 0.9f,
                                           const DebugContext& debugContext = {});
  std::vector<TensorId> groupnormalization(const std::vector<TensorId>& args,
                                           std::int64_t num_groups, float epsilon = 1e-05f,
                                           const DebugContext& debugContext = {});
  std::vector<TensorId> multiconv(
      const MultiConvInputs& tensors, const MultiConvDilations& dilations = {},
      const MultiConvDilations& inDilations = {}, const MultiConvPads& pads = {},
      const MultiConvPads& outPads = {}, const MultiConvStrides& strides = {},
      const std::vector<float>& availableMemoryProportions = {},
      const std::vector<std::string>& partialsTypes = {},
      const nonstd::optional<std::string> planType = nonstd::nullopt,
      const nonstd::optional<int> perConvReservedTiles = nonstd::nullopt,
      const nonstd::optional<float> cycleBackOff = nonstd::nullopt,
      const std::vector<std::int64_t> enableConvDithering = {},
      const DebugContext& debugContext = {});
  TensorId subsample(const std::vector<TensorId>& args, const std::vector<std::int64_t>& strides,
                     const DebugContext& debugContext = {});
  TensorId printtensor(const std::vector<TensorId>& args, std::int64_t print_gradient = 1,
                       const DebugContext& debugContext = {}, const std::string& title = {},
                       const int summariseThreshold = 1000, const int edgeItems = 3,
                       const int maxLineWidth = 75, const int digits = 8, const int floatFormat = 0,
                       const char separator = ' ', const char openBracket = '[',
                       const char closeBracket = ']');
  TensorId nop(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId normalize_image(const std::vector<TensorId>& args, float scale,
                           const DebugContext& debugContext = {});
  TensorId scale(const std::vector<TensorId>& args, float scale,
                 const DebugContext& debugContext = {});
  TensorId scaledadd(const std::vector<TensorId>& args, float scale0, float scale1,
                     const DebugContext& debugContext = {});
  std::vector<TensorId> lstm(const std::vector<TensorId>& args, std::int64_t outputFullSequence,
                             const DebugContext& debugContext = {});
  TensorId gelu(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId geluerf(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId detach(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId depthtospace(const std::vector<TensorId>& args, std::int64_t blocksize,
                        const std::string& mode = "DCR", const DebugContext& debugContext = {});
  TensorId round(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId init(Attributes::Ints shape, Attributes::Int data_type, Attributes::Int init_type,
                Attributes::Int batch_axis, const DebugContext& debugContext = {});
  TensorId init(Attributes::Ints shape, Attributes::Int data_type, Attributes::Int init_type,
                const DebugContext& debugContext = {});
  TensorId dynamicslice(const std::vector<TensorId>& args, Attributes::Ints axes,
                        Attributes::Ints sizes, Attributes::Int noOverlap,
                        const DebugContext& debugContext = {});
  TensorId dynamicupdate(const std::vector<TensorId>& args, Attributes::Ints axes,
                         Attributes::Ints sizes, Attributes::Int noOverlap,
                         const DebugContext& debugContext = {});
  TensorId dynamiczero(const std::vector<TensorId>& args, Attributes::Ints axes,
                       Attributes::Ints sizes, const DebugContext& debugContext = {});
  TensorId dynamicadd(const std::vector<TensorId>& args, Attributes::Ints axes,
                      Attributes::Ints sizes, const DebugContext& debugContext = {});
  TensorId sequenceslice(const std::vector<TensorId>& args, Attributes::Int zeroUnused,
                         const DebugContext& debugContext = {});
  std::vector<TensorId> call(const std::vector<TensorId>& args, unsigned num_outputs,
                             const Builder& callee, const DebugContext& debugContext = {});
  TensorId replicatedallreduce(
      const std::vector<TensorId>& args,
      const nonstd::optional<std::vector<std::int64_t>>& commGroup = nonstd::nullopt,
      const DebugContext& debugContext = {});
  TensorId replicatedallreduce(
      const std::vector<TensorId>& args,
      const nonstd::optional<CollectiveOperator>& collectiveOperator = nonstd::nullopt,
      const nonstd::optional<CommGroup>& commGroup = nonstd::nullopt,
      const DebugContext& debugContext = {});
  TensorId replicatedreducescatter(
      const std::vector<TensorId>& args,
      const nonstd::optional<CollectiveOperator>& collectiveOperator = nonstd::nullopt,
      const nonstd::optional<CommGroup>& commGroup = nonstd::nullopt,
      const DebugContext& debugContext = {});
  TensorId l1loss(const std::vector<TensorId>& args, const float lambda,
                  const ReductionType reduction = ReductionType::Mean,
                  const DebugContext& debugContext = {});
  TensorId nllloss(const std::vector<TensorId>& args,
                   const ReductionType reduction = ReductionType::Mean,
                   const nonstd::optional<int> ignoreIndex = nonstd::nullopt,
                   bool inputIsLogProbability = false, const DebugContext& debugContext = {});
  TensorId identityloss(const std::vector<TensorId>& args,
                        const ReductionType reduction = ReductionType::Mean,
                        const DebugContext& debugContext = {});
  TensorId tensorremap(const std::vector<TensorId>& args, Attributes::Int remap_type,
                       const DebugContext& debugContext = {});
  TensorId ctcloss(const std::vector<TensorId>& args,
                   const ReductionType reduction = ReductionType::Mean, const unsigned blank = 0,
                   const std::string& outDataType = "UNDEFINED", const bool zeroInfinity = false,
                   const DebugContext& debugContext = {});
  std::vector<TensorId> _ctcloss(const std::vector<TensorId>& args,
                                 const ReductionType reduction = ReductionType::Mean,
                                 const unsigned blank = 0,
                                 const std::string& outDataType = "UNDEFINED",
                                 const bool zeroInfinity = false,
                                 const DebugContext& debugContext = {});
  std::vector<TensorId> ctcbeamsearchdecoder(const std::vector<TensorId>& args, unsigned blank = 0,
                                             unsigned beamWidth = 100, unsigned topPaths = 1,
                                             const DebugContext& debugContext = {});
  TensorId shapeddropout(const std::vector<TensorId>& args, const std::vector<std::int64_t>& shape,
                         float ratio = 0.5f, const DebugContext& debugContext = {});
  TensorId atan2(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId expm1(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId log1p(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId reshape(const TensorId& arg, const Attributes::Ints& shape,
                   const DebugContext& debugContext = {});
  TensorId fmod(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId remainder(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId reverse(const std::vector<TensorId>& args, const std::vector<std::int64_t>& dimensions,
                   const DebugContext& debugContext = {});
  TensorId slice(const std::vector<TensorId>& args, const std::vector<std::int64_t>& ends,
                 const std::vector<std::int64_t>& starts,
                 const std::vector<std::int64_t>& axes = std::vector<std::int64_t>(),
                 const DebugContext& debugContext = {});
  TensorId packedDataBlock(const std::vector<TensorId>& args,
                           const std::vector<std::int64_t>& maxSequenceLengths,
                           std::int64_t resultSize, std::int64_t callbackBatchSize,
                           const Builder& callback, const DebugContext& debugContext = {});
  void abort(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId bitwisenot(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId bitwiseand(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId bitwiseor(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId bitwisexor(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId bitwisexnor(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> reducemedian(
      const std::vector<TensorId>& args,
      const nonstd::optional<std::vector<std::int64_t>>& axes = nonstd::nullopt,
      std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId groupedgather(const std::vector<TensorId>& args, Attributes::Int axis = 0,
                         Attributes::Int group_size = 1, const DebugContext& debugContext = {});
  TensorId groupedscatterreduce(const std::vector<TensorId>& args, Attributes::Int axis_size,
                                Attributes::Int axis = -1,
                                ScatterReduction reduction = ScatterReduction::Sum,
                                Attributes::Int group_size = 1,
                                Attributes::Int enable_index_broadcast = 1,
                                const DebugContext& debugContext = {});
  TensorId scatterreduce(const std::vector<TensorId>& args, Attributes::Int axis_size,
                         Attributes::Int axis = -1,
                         ScatterReduction reduction = ScatterReduction::Sum,
                         Attributes::Int enable_index_broadcast = 1,
                         const DebugContext& debugContext = {});
  TensorId swish(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId incrementmod(const std::vector<TensorId>& args, Attributes::Float increment,
                        Attributes::Float modulus, const DebugContext& debugContext = {});
  TensorId bucketize(const std::vector<TensorId>& args, Attributes::Int right = 0,
                     const DebugContext& debugContext = {});
  std::vector<TensorId> sort(const std::vector<TensorId>& args, Attributes::Int axis = -1,
                             Attributes::Int descending = 0, Attributes::Int stable = 0,
                             const DebugContext& debugContext = {});
  TensorId nearbyint(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> splinebasis(const std::vector<TensorId>& args, Attributes::Int degree = 1,
                                    const DebugContext& debugContext = {});
  TensorId splineweighting(const std::vector<TensorId>& args,
                           const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_graphcorebuilder_hpp
