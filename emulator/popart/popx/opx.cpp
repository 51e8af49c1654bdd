#include <popart/ir.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/popx/opx.hpp>

namespace popart {
namespace popx {

Opx::Opx(Op* op, Devicex* devicex) : op_p(op), dv_p(devicex) {}
Opx::~Opx() = default;

void Opx::grow(poplar::program::Sequence&) const {
  throw error("Opx::grow: expected the Opx of {} to override it, got none", op_p->opid);
}

void Opx::grow(std::vector<poplar::program::Sequence>& programs) const {
  if (programs.empty()) programs.resize(1);
  grow(programs.front());
}

InputCreatorType Opx::getInputCreatorType(InIndex) const { return InputCreatorType::Deadend; }

poplar::Tensor Opx::createInput(InIndex index, const poplar::DebugNameAndId&) const {
  throw error("Opx::createInputTensor: expected the Opx of {} to create input {}, got none",
              op_p->opid, index);
}

poplar::Tensor Opx::createInputTensor(InIndex index, const poplar::DebugNameAndId& name) const {
  return createInput(index, name);
}

bool Opx::canUnwind(InIndex in, OutIndex) const {
  const InputCreatorType type = getInputCreatorType(in);
  return type == InputCreatorType::CanUnwind || type == InputCreatorType::CanCreateOrUnwind;
}

poplar::Tensor Opx::unwindTensorLayout(poplar::Tensor, InIndex in, OutIndex) const {
  throw error("Opx::unwindTensorLayout: expected the Opx of {} to unwind input {}, got none",
              op_p->opid, in);
}

view::RegMap Opx::unwindRegion(InIndex in, OutIndex) const {
  throw error("Opx::unwindRegion: expected the Opx of {} to unwind input {}, got none", op_p->opid,
              in);
}

std::set<TensorId> Opx::mustExistBeforeCreate(int) const { return {}; }
DnfTensorIds Opx::mustExistBeforeCreateDNF(int index) const {
  return {mustExistBeforeCreate(index)};
}
bool Opx::createsEquiv(int, const Opx*, int) const { return false; }

poplar::Graph& Opx::graph() const { return dv_p->lowering().graph(); }
const poplar::Tensor& Opx::get(TensorId id) const { return dv_p->lowering().tensors().get(id); }
void Opx::insert(TensorId id, const poplar::Tensor& tensor) const {
  dv_p->lowering().tensors().insert(id, tensor);
}

void Opx::setOutTensor(OutIndex index, const poplar::Tensor& tensor) const {
  if (dv_p->ir().getSessionOptions().opxAliasChecking) {
    for (const auto& in : op_p->input->tensorMap()) {
      const poplar::Tensor& input = getInTensor(in.first);
      if (tensor.elementType() != input.elementType() || tensor.containsAliases() ||
          input.containsAliases() || op_p->doesAlias(in.first, index)) {
        continue;
      }
      if (poplar::concat(tensor.flatten(), input.flatten()).containsAliases()) {
        throw error(
            "{} claims input {} -> output {} do not contain aliases, but the Poplar tensors "
            "disagree.",
            op_p->debugName(), in.first, index);
      }
    }
  }
  insert(outId(index), tensor);
}

poplar::Tensor Opx::cloneNcopy(poplar::program::Sequence& program, TensorId id) const {
  return cloneNcopy(program, get(id), id + "[cloned]");
}

poplar::Tensor Opx::cloneNcopy(poplar::program::Sequence& program, const poplar::Tensor& tensor,
                               const std::string name) const {
  const poplar::Tensor out = graph().clone(tensor, debugContext(name));
  program.add(poplar::program::Copy(tensor, out, false, debugContext(name)));
  return out;
}

poplar::Tensor Opx::broadcast(const std::vector<std::int64_t>& shape, TensorId id) const {
  return broadcast(shape, get(id));
}

poplar::Tensor Opx::broadcast(const std::vector<std::int64_t>& shape, poplar::Tensor tensor) const {
  const std::vector<std::size_t> own = tensor.shape();
  const std::size_t missing = shape.size() - own.size();
  std::vector<std::size_t> extended(shape.size(), 1);
  for (std::size_t i = 0; i < own.size(); ++i) extended[missing + i] = own[i];
  tensor = tensor.reshape(extended);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t wanted = static_cast<std::size_t>(shape[i]);
    if (extended[i] == wanted) continue;
    if (extended[i] != 1)
      throw error("Opx::broadcast: dimension {}: expected 1 or {}, got {}", i, wanted, extended[i]);
    tensor = tensor.broadcast(static_cast<unsigned>(wanted), static_cast<unsigned>(i));
  }
  return tensor;
}

poplar::Tensor Opx::getConst(const poplar::Type& type, const std::vector<std::size_t>& shape,
                             double value, const std::string& name) const {
  return dv_p->lowering().getConst(graph(), type, shape, value, debugContext(name));
}

poplar::Tensor Opx::getScalarVariable(const poplar::Type& type, const std::string& name) const {
  return dv_p->lowering().getScalarVariable(graph(), type, debugContext(name));
}

poplar::Tensor Opx::getZerosTensor(std::vector<std::size_t> shape, poplar::Type type,
                                   std::string name) const {
  // A variable, as an op may write what it returns.
  const poplar::Tensor zeros = getScalarVariable(type, name);
  graph().setInitialValue(zeros, 0);
  return broadcast(std::vector<std::int64_t>(shape.begin(), shape.end()), zeros);
}

const poplar::DebugNameAndId Opx::getDebugNameAndId(const std::string name,
                                                    poplar::SourceLocation) const {
  return poplar::DebugNameAndId(getDebugInfo().getNameAndId(), name);
}

poplar::DebugContext Opx::debugContext(const std::string name,
                                       poplar::SourceLocation location) const {
  return poplar::DebugContext(getDebugNameAndId(name), location);
}

}  // namespace popx
}  // namespace popart
