#ifndef popart_op_hpp
#define popart_op_hpp

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <popart/attributes.hpp>
#include <popart/basicoptionals.hpp>
#include <popart/datatype.hpp>
#include <popart/debugcontext.hpp>
#include <popart/error.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/scope.hpp>
#include <popart/tensorindex.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/tensorlocation.hpp>
#include <popart/vertex.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace popart {

class AliasModel;
class Graph;
class Ir;
class Op;
class OpSerialiserBase;
class Pattern;
class Tensor;

enum class RecomputeType { Undefined = 0, Checkpoint, Recompute, Recomputed };

enum class ExecutionContext {
  Normal = 0,
  AccumulateOuterFragment,
  WeightsFromHostFragment,
  WeightsToHostFragment,
  OptimizerFromHostFragment,
  Subgraph,
};

enum class ReductionType { Sum = 0, Mean, NoReduction, N };

std::ostream& operator<<(std::ostream& out, const RecomputeType& type);
std::ostream& operator<<(std::ostream& out, const ExecutionContext& context);
std::ostream& operator<<(std::ostream& out, const ReductionType& type);

/// What an input of a gradient op is, seen from the op whose gradient it computes: an input, an
/// output, or the gradient of an output.
enum class GradOpInType { In = 0, Out, GradOut };

class GradInOutMapper {
 public:
  GradInOutMapper(InIndex iGrad_, int iNonGrad_, GradOpInType type_)
      : iGrad(iGrad_), iNonGrad(iNonGrad_), type(type_) {}
  InIndex iGrad;  // index of the gradient op's input
  int iNonGrad;   // index of the op's input or output
  GradOpInType type;
  bool operator==(const GradInOutMapper& b) const {
    return iGrad == b.iGrad && iNonGrad == b.iNonGrad && type == b.type;
  }
};

std::ostream& operator<<(std::ostream& out, const GradOpInType& type);
std::ostream& operator<<(std::ostream& out, const GradInOutMapper& mapper);

template <class T>
using OpMap = std::map<Op*, T, POpCmp>;
using OpSet = std::set<Op*, POpCmp>;

/// An operation of PopART's graph: what is computed, of what types and shapes. How it is computed
/// is for its popx::Opx to say.
class Op : public Vertex {
 public:
  struct Settings {
    Settings(Graph& graph_, const std::string& name_) : graph(graph_), name(name_) {}
    Settings(Graph& graph_, const std::string& name_, const Scope& scope_)
        : graph(graph_), name(name_), scope(scope_) {}
    Settings(Graph& graph_, const std::string& name_, const Scope& scope_, std::uint64_t parentId)
        : graph(graph_), name(name_), scope(scope_), debugInfoId(parentId) {}
    Settings(Graph& graph_, const std::string& name_, std::uint64_t parentId)
        : graph(graph_), name(name_), debugInfoId(parentId) {}
    virtual ~Settings() = default;
    Settings(const Settings&) = default;
    Settings& operator=(const Settings&) = default;
    Settings copy(const std::string& newName) {
      Settings out = *this;
      out.name = newName;
      return out;
    }
    virtual void setFromAttributes(const Attributes& attributes);
    Ir& getIr() const;

    std::reference_wrapper<Graph> graph;
    std::string name;
    Scope scope;
    RecomputeType recomputeType = RecomputeType::Undefined;
    OptionalTensorLocation tensorLocation;
    std::vector<std::tuple<std::string, float>> inplacePriorityVeto;
    std::unordered_set<std::string> excludePatterns;
    OptionalVGraphId vgraphId;
    OptionalPipelineStage pipelineStage;
    OptionalExecutionPhase executionPhase;
    OptionalBatchSerializedPhase batchSerializedPhase;
    OptionalStochasticRoundingMethod stochasticRoundingMethod;
    TileSet tileSet{TileSet::Compute};
    ExecutionContext executionContext{ExecutionContext::Normal};
    std::map<InIndex, InIndex> inferTensorMappingToFrom;
    double schedulePriority{0.0};
    std::map<std::string, std::string> extraOutlineAttributes;
    std::uint64_t debugInfoId{0};
    bool optimizerOp{false};
    bool gradientClippingOp{false};
  };

  Op(const OperatorIdentifier& opid, const Op::Settings& settings);
  /// A copy is connected to nothing.
  Op(const Op& other);
  Op& operator=(const Op&) = delete;
  virtual ~Op();

  std::unique_ptr<TensorIndexMap> input;
  std::unique_ptr<TensorIndexMap> output;
  OpId id{-1};
  OperatorIdentifier opid;
  bool pruneable = true;
  Settings settings;

  // Properties of every op.
  virtual std::unique_ptr<Op> clone() const = 0;
  virtual float getSubgraphValue() const = 0;
  float getHighSubgraphValue() const { return 1000.0f; }
  float getLowSubgraphValue() const { return 0.1f; }
  /// Sets outInfo of every output from the inputs and the attributes.
  virtual void setup();
  virtual void appendAttributes(OpSerialiserBase& os) const;
  virtual void appendOutlineAttributes(OpSerialiserBase& os) const;
  virtual void appendMore(OpSerialiserBase&) const {}
  virtual std::set<InIndex> optionalInputs() const { return {}; }
  virtual bool requiresRandomSeed() const { return false; }
  /// The input that is the random seed, 2 UINT32; -1 where the op has none of its own.
  virtual InIndex getSeedInIndex() const { return -1; }

  // Gradients. The last three are asked of gradient ops.
  virtual std::vector<std::unique_ptr<Op>> getGradOps();
  virtual const std::vector<GradInOutMapper>& gradInputInfo() const;
  virtual const std::map<int, int>& gradOutToNonGradIn() const;
  virtual int getNonGradInIndex(int gradOpOutIndex) const;

  // Memory: the regions of an input that are written in place, that are read, and that an output
  // aliases.
  virtual view::Regions modifies(InIndex) const;
  virtual view::Regions uses(InIndex) const;
  virtual view::Regions aliases(InIndex, OutIndex) const;
  virtual view::RegMap fwdRegMap(InIndex, OutIndex) const;
  virtual view::RegMap bwdRegMap(InIndex, OutIndex) const;
  bool doesAlias() const;
  bool doesAlias(InIndex, OutIndex) const;
  bool isOutplace() const { return !doesAlias(); }
  bool modifies() const;
  bool modifiesIndex(InIndex) const;
  bool modifiesTensor(Tensor*) const;

  // In-place variants and other queries of PopART's transformations. The emulation keeps ops as
  // they were written and asks for none of it.
  virtual void growAliasModel(AliasModel&) const {}
  virtual poprithms::memory::inplace::Proposal mapInplaceProposal(const AliasModel&,
                                                                  OperatorIdentifier) const {
    return {};
  }
  virtual std::vector<std::tuple<OperatorIdentifier, float>> inplacePriorityDefault() const {
    return {};
  }
  virtual std::unique_ptr<Op> getInplaceVariant(const OperatorIdentifier&) const;
  virtual bool isInplaceViewChange() const { return false; }
  virtual bool isOutplaceViewChange() const { return false; }
  virtual bool isNorm() const { return false; }
  virtual bool canBeReplacedByIdentity() const { return false; }
  virtual bool isLossOp() const { return false; }
  virtual bool isIpuCopyOp() const { return false; }
  virtual bool copiesOptimizerTensors() const { return false; }
  virtual bool isOptimizerOp() const { return settings.optimizerOp; }
  virtual bool isOutlineable() const { return true; }
  virtual bool hasSideEffect() const { return false; }
  virtual bool canRecompute() const { return true; }
  virtual bool canShard() const { return false; }
  virtual ReductionType getShardReductionType(OutIndex) const { return ReductionType::NoReduction; }
  virtual float getShardRescaleFactor(Op* const, OutIndex) const { return 1.0f; }
  virtual void configureShardedOp(Op* const, const Settings* const) const {}
  virtual ReplicatedTensorShardingIndices getReplicatedTensorShardingIndices() const { return {}; }
  virtual float calcAutoVirtualGraphCost(std::set<int>&) { return 0.0f; }
  virtual std::vector<const Graph*> getCalledGraphs() const { return {}; }
  virtual int getInBatchAxis(InIndex) const { return 0; }
  virtual int getOutBatchAxis(OutIndex) const { return 0; }
  virtual Settings getInSettings(InIndex) const { return settings; }
  virtual Settings getOutSettings(OutIndex) const { return settings; }
  virtual VGraphIdAndTileSet getIntrospectionInVirtualGraphId(InIndex, std::set<OpId>&) const;
  virtual VGraphIdAndTileSet getIntrospectionOutVirtualGraphId(OutIndex, std::set<OpId>&) const;

  // Tensors.
  virtual void connectInTensor(InIndex index, TensorId id);
  virtual void connectInTensor(InIndex index, TensorId id, VGraphId vgid);
  void connectOutTensor(OutIndex index, TensorId id);
  void createAndConnectOutTensor(OutIndex index, TensorId id);
  void disconnectInTensor(Tensor* tensor);
  virtual void disconnectInTensor(InIndex index, Tensor* tensor);
  void disconnectInTensor(InIndex index);
  void disconnectOutTensor(Tensor* tensor);
  void disconnectAllInputs();
  void disconnectAllOutputs();

  bool hasInput(InIndex index) const { return input->hasIndex(index); }
  bool hasOutput(OutIndex index) const { return output->hasIndex(index); }
  Tensor* inTensor(InIndex index) { return input->tensor(index); }
  const Tensor* inTensor(InIndex index) const { return input->tensor(index); }
  Tensor* outTensor(OutIndex index) { return output->tensor(index); }
  const Tensor* outTensor(OutIndex index) const { return output->tensor(index); }
  TensorId inId(InIndex index) { return input->id(index); }
  const TensorId inId(InIndex index) const { return input->id(index); }
  TensorId outId(OutIndex index) { return output->id(index); }
  const TensorId outId(OutIndex index) const { return output->id(index); }
  TensorInfo& inInfo(InIndex index) { return inTensor(index)->info; }
  const TensorInfo& inInfo(InIndex index) const { return inTensor(index)->info; }
  TensorInfo& outInfo(OutIndex index) { return outTensor(index)->info; }
  const TensorInfo& outInfo(OutIndex index) const { return outTensor(index)->info; }
  const Shape& inShape(InIndex index) const { return inInfo(index).shape(); }
  const Shape& outShape(OutIndex index) const { return outInfo(index).shape(); }
  Rank inRank(InIndex index) const { return inInfo(index).rank(); }
  Rank outRank(OutIndex index) const { return outInfo(index).rank(); }
  size_t inTensorCount() const { return static_cast<size_t>(input->n()); }
  size_t outTensorCount() const { return static_cast<size_t>(output->n()); }
  InIndex inIndex(Tensor* tensor) const;
  OutIndex outIndex(Tensor* tensor) const;
  Shape prettyNpOut(const Shape& a, const Shape& b) const;
  TensorInfo prettyNpOut(const TensorInfo& a, const TensorInfo& b, bool checkDataType = true) const;

  // Where it runs, and what it is called.
  Settings& getSettings() { return settings; }
  const Settings& getSettings() const { return settings; }
  Ir& getIr();
  const Ir& getIr() const;
  Graph& getGraph() { return settings.graph.get(); }
  const Graph& getGraph() const { return settings.graph.get(); }
  const Scope& getScope() const { return settings.scope; }
  void setScope(const Scope& scope) { settings.scope = scope; }
  const std::string& getName() const { return settings.name; }
  void setName(const std::string& name) { settings.name = name; }
  const std::string& name() const { return settings.name; }
  std::string str() const final;
  std::string debugName() const;
  const DebugInfo& getDebugInfo() const { return debugInfo_; }
  bool hasVirtualGraphId() const { return bool(settings.vgraphId); }
  VGraphId getVirtualGraphId() const;
  const OptionalVGraphId getOptionalVGraphId() const { return settings.vgraphId; }
  void setVirtualGraphId(const OptionalVGraphId value) { settings.vgraphId = value; }
  bool hasPipelineStage() const { return bool(settings.pipelineStage); }
  PipelineStage getPipelineStage() const;
  OptionalPipelineStage getOptionalPipelineStage() const { return settings.pipelineStage; }
  void setPipelineStage(OptionalPipelineStage value) { settings.pipelineStage = value; }
  bool isExcludedFromPattern(const Pattern* pattern) const;
  void append(std::stringstream& out) const;

  template <class T>
  bool isConvertibleTo() const {
    return dynamic_cast<const T*>(this) != nullptr;
  }

 protected:
  poprithms::memory::inplace::Proposal mapInplaceProposalGate0(const AliasModel&,
                                                               OperatorIdentifier) const {
    return {};
  }

 private:
  DebugInfo debugInfo_;
};

}  // namespace popart

#endif  // popart_op_hpp
