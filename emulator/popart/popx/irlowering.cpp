#include <algorithm>
#include <popart/error.hpp>
#include <popart/ir.hpp>
#include <popart/popx/irlowering.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popart/util.hpp>
#include <poplin/codelets.hpp>
#include <popnn/codelets.hpp>
#include <popops/codelets.hpp>
#include <poprand/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <sstream>

namespace popart {
namespace popx {

poplar::Type popType(DataType type) {
  switch (type) {
    case DataType::BOOL:
      return poplar::BOOL;
    case DataType::INT8:
      return poplar::SIGNED_CHAR;
    case DataType::UINT8:
      return poplar::UNSIGNED_CHAR;
    case DataType::INT16:
      return poplar::SHORT;
    case DataType::UINT16:
      return poplar::UNSIGNED_SHORT;
    case DataType::INT32:
      return poplar::INT;
    case DataType::UINT32:
      return poplar::UNSIGNED_INT;
    case DataType::FLOAT:
      return poplar::FLOAT;
    case DataType::FLOAT16:
      return poplar::HALF;
    default:
      throw error("popType: expected a type that the device has, got {}", type);
  }
}

poplar::Type popType(const TensorInfo& info) { return popType(info.dataType()); }

void PopTensors::insert(TensorId id, const poplar::Tensor& tensor) {
  if (contains(id)) throw error("PopTensors::insert: expected a new tensor, got '{}' again", id);
  const Tensors& known = ir_.getMainGraph().getTensors();
  if (known.contains(id)) {
    const TensorInfo& info = known.get(id)->info;
    if (tensor.elementType() != popType(info) || tensor.shape() != info.shape_szt()) {
      std::ostringstream shape;
      appendSequence(shape, tensor.shape());
      throw error("PopTensors::insert: '{}': expected {}, as Op::setup says, got {} {}", id, info,
                  tensor.elementType(), shape.str());
    }
  }
  tensors_.insert({id, tensor});
}

const poplar::Tensor& PopTensors::get(TensorId id) const {
  const auto entry = tensors_.find(id);
  if (entry == tensors_.end()) throw error("PopTensors::get: expected a tensor '{}', got none", id);
  return entry->second;
}

// An Opx that lays a tensor out as input `in`; `path` are the Opx between that and the tensor that
// is asked for, the last first.
struct IrLowering::Creator {
  struct Step {
    const Opx* opx;
    InIndex in;
    OutIndex out;
  };
  const Opx* opx;
  InIndex in;
  std::vector<Step> path;
};

IrLowering::IrLowering(const Ir& ir, const poplar::Target& target, Devicex& devicex)
    : ir_(ir), graph_(target), tensors_(ir), devicex_(devicex) {}
IrLowering::~IrLowering() = default;

Opx* IrLowering::getOpx(OpId id) const { return opxs_.at(id).get(); }

unsigned IrLowering::nextTile() { return tile_++ % graph_.getTarget().getNumTiles(); }

poplar::Tensor IrLowering::getConst(poplar::Graph& graph, const poplar::Type& type,
                                    const std::vector<std::size_t>& shape, double value,
                                    const poplar::DebugContext& debugContext) {
  const poplar::Tensor out =
      graph.addConstant(type, shape, static_cast<float>(value), debugContext);
  graph.setTileMapping(out, nextTile());
  return out;
}

poplar::Tensor IrLowering::getScalarVariable(poplar::Graph& graph, const poplar::Type& type,
                                             const poplar::DebugContext& debugContext) {
  const poplar::Tensor out = graph.addVariable(type, {}, debugContext);
  graph.setTileMapping(out, nextTile());
  return out;
}

void IrLowering::addCodelets() {
  popops::addCodelets(graph_);
  poplin::addCodelets(graph_);
  popnn::addCodelets(graph_);
  poprand::addCodelets(graph_);
  const SessionOptions& options = ir_.getSessionOptions();
  for (const std::string& path : options.customCodelets)
    graph_.addCodelets(path, poplar::CodeletFileType::Auto, options.customCodeletCompileFlags);
}

std::vector<IrLowering::Creator> IrLowering::creators(Tensor* tensor) {
  std::vector<Creator> out;
  for (Op* op : tensor->consumers.getOps()) {
    const Opx* opx = opxs_.at(op->id).get();
    for (int in : op->input->indices(tensor)) {
      const InputCreatorType type = opx->getInputCreatorType(in);
      if (type == InputCreatorType::CanCreate || type == InputCreatorType::CanCreateOrUnwind)
        out.push_back({opx, in, {}});
      for (const auto& output : op->output->tensorMap()) {
        if (!opx->canUnwind(in, output.first)) continue;
        for (Creator creator : creators(output.second)) {
          creator.path.push_back({opx, in, output.first});
          out.push_back(creator);
        }
      }
    }
  }
  // As PopART: the one of highest priority.
  std::stable_sort(out.begin(), out.end(), [](const Creator& a, const Creator& b) {
    return a.opx->inputCreatorPriority > b.opx->inputCreatorPriority;
  });
  return out;
}

poplar::Tensor IrLowering::create(const Creator& creator, const Tensor& tensor) {
  poplar::Tensor out = creator.opx->createInputTensor(creator.in, {tensor.id});
  for (const Creator::Step& step : creator.path)
    out = step.opx->unwindTensorLayout(out, step.in, step.out);
  return out;
}

void IrLowering::createInput(Tensor* tensor) {
  if (tensors_.contains(tensor->id)) return;
  creating_.push_back(tensor->id);
  for (const Creator& creator : creators(tensor)) {
    bool ready = true;
    for (const TensorId& id : creator.opx->mustExistBeforeCreate(creator.in)) {
      const bool waits = std::find(creating_.begin(), creating_.end(), id) != creating_.end();
      if (!waits && !ir_.getMainGraph().getTensors().get(id)->hasProducer())
        createInput(ir_.getMainGraph().getTensors().get(id));
      ready = ready && tensors_.contains(id);
    }
    if (!ready) continue;
    tensors_.insert(tensor->id, create(creator, *tensor));
    break;
  }
  creating_.pop_back();
  if (tensors_.contains(tensor->id)) return;
  const poplar::Tensor out =
      graph_.addVariable(popType(tensor->info), tensor->info.shape_szt(), {tensor->id});
  poputil::mapTensorLinearly(graph_, out);
  tensors_.insert(tensor->id, out);
}

void IrLowering::prepareGraph(const std::vector<Op*>& related) {
  addCodelets();
  for (Op* op : related) related_.push_back(OpxManager::createOpx(op, &devicex_));
  const Graph& graph = ir_.getMainGraph();
  const std::vector<Op*> schedule = graph.getOpSchedule();
  for (Op* op : schedule) {
    std::unique_ptr<Opx> opx = OpxManager::createOpx(op, &devicex_);
    if (opx == nullptr) throw error("IrLowering: expected an Opx for {}, got none", op->opid);
    opxs_[op->id] = std::move(opx);
  }
  for (Tensor* tensor : graph.getTensors().getAll())
    if (!tensor->hasProducer() && tensor->consumers.getTotal() > 0) createInput(tensor);
  for (Op* op : schedule) {
    opxs_.at(op->id)->grow(program_);
    for (const auto& output : op->output->tensorMap()) {
      if (!tensors_.contains(output.second->id)) {
        throw error("Opx::grow: {}: expected output {} to be set, got none", op->debugName(),
                    output.first);
      }
    }
  }
}

}  // namespace popx
}  // namespace popart
