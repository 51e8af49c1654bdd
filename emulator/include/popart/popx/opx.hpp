#ifndef popart_popx_opx_hpp
#define popart_popx_opx_hpp

#include <popart/error.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/popx/inputcreatortype.hpp>
#include <popart/region.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {
namespace popx {

class Devicex;

/// How an Op is computed: it adds what computes the outputs to a Poplar graph and a program.
class Opx {
 public:
  Opx(Op* op, Devicex* devicex);
  virtual ~Opx();

  /// Adds the op to the program and sets its outputs.
  virtual void grow(poplar::program::Sequence& program) const;
  virtual void grow(std::vector<poplar::program::Sequence>& programs) const;

  // Layouts of inputs.
  virtual InputCreatorType getInputCreatorType(InIndex index) const;
  virtual poplar::Tensor createInput(InIndex index, const poplar::DebugNameAndId& name) const;
  virtual poplar::Tensor createInputTensor(InIndex index, const poplar::DebugNameAndId& name) const;
  virtual bool canUnwind(InIndex in, OutIndex out) const;
  virtual poplar::Tensor unwindTensorLayout(poplar::Tensor tensor, InIndex in, OutIndex out) const;
  virtual view::RegMap unwindRegion(InIndex in, OutIndex out) const;
  /// The tensors that createInputTensor asks for; none unless overridden.
  virtual std::set<TensorId> mustExistBeforeCreate(int index) const;
  virtual DnfTensorIds mustExistBeforeCreateDNF(int index) const;
  virtual bool createsEquiv(int index, const Opx* other, int otherIndex) const;
  virtual bool outputCreatedExternally(OutIndex) const { return false; }

  // The graph, and tensors by index or by id.
  poplar::Graph& graph() const;
  poplar::Graph& topLevelGraph() const { return graph(); }
  virtual poplar::Graph& srcGraph(InIndex) const { return graph(); }
  virtual poplar::Graph& dstGraph(OutIndex) const { return graph(); }
  poplar::Graph& inGraph(InIndex) const { return graph(); }
  poplar::Graph& outGraph(OutIndex) const { return graph(); }
  const poplar::Tensor& get(TensorId id) const;
  const poplar::Tensor& getView(TensorId id) const { return get(id); }
  void insert(TensorId id, const poplar::Tensor& tensor) const;
  const poplar::Tensor& getInTensor(InIndex index) const { return get(inId(index)); }
  const poplar::Tensor& getOutTensor(OutIndex index) const { return get(outId(index)); }
  const poplar::Tensor& getInView(InIndex index) const { return getInTensor(index); }
  const poplar::Tensor& getOutView(OutIndex index) const { return getOutTensor(index); }
  void setOutTensor(OutIndex index, const poplar::Tensor& tensor) const;

  // Their descriptions in the op.
  bool hasInput(InIndex index) const { return op_p->hasInput(index); }
  bool hasOutput(OutIndex index) const { return op_p->hasOutput(index); }
  Tensor* inTensor(InIndex index) const { return op_p->inTensor(index); }
  Tensor* outTensor(OutIndex index) const { return op_p->outTensor(index); }
  TensorId inId(InIndex index) const { return op_p->inId(index); }
  TensorId outId(OutIndex index) const { return op_p->outId(index); }
  const TensorInfo& inInfo(InIndex index) const { return op_p->inInfo(index); }
  const TensorInfo& outInfo(OutIndex index) const { return op_p->outInfo(index); }
  const Shape& inShape(InIndex index) const { return op_p->inShape(index); }
  const Shape& outShape(OutIndex index) const { return op_p->outShape(index); }
  const std::vector<size_t> inShapeSzt(InIndex index) const { return inInfo(index).shape_szt(); }

  // New tensors.
  poplar::Tensor cloneNcopy(poplar::program::Sequence& program, TensorId id) const;
  poplar::Tensor cloneNcopy(poplar::program::Sequence& program, const poplar::Tensor& tensor,
                            const std::string name = "") const;
  /// A view of the desired shape, as NumPy broadcasts.
  poplar::Tensor broadcast(const std::vector<std::int64_t>& shape, TensorId id) const;
  poplar::Tensor broadcast(const std::vector<std::int64_t>& shape, poplar::Tensor tensor) const;
  poplar::Tensor getConst(const poplar::Type& type, const std::vector<size_t>& shape, double value,
                          const std::string& name) const;
  poplar::Tensor getScalarVariable(const poplar::Type& type, const std::string& name) const;
  poplar::Tensor getZerosTensor(std::vector<size_t> shape, poplar::Type type,
                                std::string name) const;

  // The op.
  template <class OP>
  OP& getOp() const {
    OP* op = dynamic_cast<OP*>(op_p);
    if (op == nullptr)
      throw error("Opx::getOp: expected an op of another class than that of {}", op_p->opid);
    return *op;
  }
  template <class OP>
  void verifyOp(Op* op, const OperatorIdentifier& opid) {
    if (op->opid.domain != opid.domain || op->opid.type != opid.type)
      throw error("Opx::verifyOp: expected {}, got {}", opid, op->opid);
  }
  template <class OP>
  void verifyOp(Op* op, std::vector<OperatorIdentifier> opids) {
    for (const OperatorIdentifier& opid : opids)
      if (op->opid == opid) return;
    throw error("Opx::verifyOp: expected one of {}, got {}",
                logging::join(opids.begin(), opids.end(), ", "), op->opid);
  }
  template <class OP>
  void verifyOp(Op* op) {
    if (!op->isConvertibleTo<OP>())
      throw error("Opx::verifyOp: expected an op of another class than that of {}", op->opid);
  }

  // Names, and the device.
  const popart::DebugInfo& getDebugInfo() const { return op_p->getDebugInfo(); }
  const poplar::DebugNameAndId getDebugNameAndId(
      const std::string name = "",
      poplar::SourceLocation location = poplar::SourceLocation::Current()) const;
  poplar::DebugContext debugContext(
      const std::string name = "",
      poplar::SourceLocation location = poplar::SourceLocation::Current()) const;
  const Devicex* getDevicex() const { return dv_p; }
  std::int64_t getVirtualGraphId() const { return 0; }

  double inputCreatorPriority{0.0};
  Op* op_p;

 protected:
  Devicex* dv_p;
};

}  // namespace popx
}  // namespace popart

// Older SDKs declare PopOpx here.
#include <popart/popx/popopx.hpp>

#endif  // popart_popx_opx_hpp
