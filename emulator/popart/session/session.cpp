#include <cstring>
#include <popart/devicemanager.hpp>
#include <popart/error.hpp>
#include <popart/opmanager.hpp>
#include <popart/optimizer.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/session.hpp>
#include <popart/stepio.hpp>
#include <popart/tensornames.hpp>

#include "backwards.hpp"
#include "model.hpp"

namespace popart {

namespace {

// Throws `error` for options that change results, and that sessions do not have.
void checkOptions(const SessionOptions& options) {
  const auto refuse = [](bool set, const char* name) {
    if (set)
      throw error(
          "SessionOptions: {}: expected its default, as the emulation has it in Python alone, got "
          "another value",
          name);
  };
  refuse(options.enableReplicatedGraphs, "enableReplicatedGraphs");
  refuse(options.replicatedGraphCount != 1, "replicatedGraphCount");
  refuse(options.enableDistributedReplicatedGraphs, "enableDistributedReplicatedGraphs");
  refuse(options.globalReplicationFactor != 1, "globalReplicationFactor");
  refuse(options.globalReplicaOffset != 0, "globalReplicaOffset");
  refuse(options.enableGradientAccumulation, "enableGradientAccumulation");
  refuse(options.accumulationFactor != 1, "accumulationFactor");
  refuse(options.enablePipelining, "enablePipelining");
  refuse(options.syntheticDataMode != SyntheticDataMode::Off, "syntheticDataMode");
  refuse(options.automaticLossScalingSettings.enabled, "automaticLossScalingSettings.enabled");
  refuse(options.enableFloatingPointChecks, "enableFloatingPointChecks");
  refuse(options.enableStochasticRounding, "enableStochasticRounding");
  refuse(!options.compileEngine, "compileEngine");
}

void addTensors(Graph& graph, const emulator::Model& model, const InputShapeInfo& inputs) {
  for (const emulator::ModelTensor& tensor : model.tensors) {
    const TensorInfo& info = inputs.has(tensor.id) ? inputs.get(tensor.id) : tensor.info;
    if (tensor.data.empty())
      graph.addInput(tensor.id, info);
    else if (tensor.constant)
      graph.getTensors().addConstInit(tensor.id, info, tensor.data.data());
    else
      graph.getTensors().addVarInit(tensor.id, info, tensor.data.data());
  }
}

void addNode(Graph& graph, const emulator::ModelNode& node) {
  std::unique_ptr<Op> made = OpManager::createOp(
      node.opid.domain, node.opid.type, static_cast<int>(node.opid.version), graph, node.name, {},
      Attributes(node.attributes), node.inputs, node.outputs);
  if (made == nullptr) throw error("session: expected a registered operator, got {}", node.opid);
  Op* op = graph.getOp(graph.moveIntoGraph(std::move(made)));
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (!node.inputs[i].empty()) op->connectInTensor(static_cast<InIndex>(i), node.inputs[i]);
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    op->createAndConnectOutTensor(static_cast<OutIndex>(i), node.outputs[i]);
  if (op->requiresRandomSeed()) {
    const TensorId seed = reservedRandomSeedPrefix() + std::to_string(op->id);
    graph.getTensors().addStream(seed, TensorInfo(DataType::UINT32, {2}));
    op->connectInTensor(op->getSeedInIndex(), seed);
  }
  op->setup();
}

// The finaliser of SplitMix64: close numbers become uncorrelated numbers.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::size_t bytes(const Tensor& tensor) { return static_cast<std::size_t>(tensor.info.nbytes()); }

}  // namespace

Session::Session(const std::string& model, const DataFlow& dataFlow,
                 std::shared_ptr<DeviceInfo> device, const InputShapeInfo& inputs,
                 const SessionOptions& options, const Patterns& patterns)
    : device_(std::move(device)), ir_(new Ir()), dataFlow_(dataFlow) {
  if (device_ == nullptr) throw error("session: expected a device, got none");
  checkOptions(options);
  ir_->getSessionOptions() = options;
  for (const auto& pattern : patterns.getSettings())
    ir_->getSessionOptions().patterns[pattern.first] = pattern.second;
  const emulator::Model parsed = emulator::deserialize(model);
  addTensors(ir_->getMainGraph(), parsed, inputs);
  for (const emulator::ModelNode& node : parsed.nodes) addNode(ir_->getMainGraph(), node);
}

Session::~Session() = default;

void Session::finish() {
  for (const TensorId& id : dataFlow_.anchors()) {
    if (!ir_->containsTensor(id))
      throw error("session: expected an anchor of the graph, got '{}'", id);
    ir_->getMainGraph().markAsOutput(id);
  }
  ir_->applyPreAliasPatterns();
}

void Session::prepareDevice(bool) {
  devicex_.reset(new popx::Devicex(*ir_, device_->getDevice()));
  std::vector<TensorId> reads = dataFlow_.anchors();
  for (const TensorId& id : ir_->getMainGraph().getTensors().getIds(TensorType::Variable)) {
    const bool used = ir_->getTensor(id)->consumers.getTotal() > 0;
    if (used && !dataFlow_.isAnchored(id)) reads.push_back(id);
  }
  devicex_->prepare(reads);
}

popx::Devicex& Session::prepared(const char* operation) const {
  if (devicex_ == nullptr || !devicex_->isPrepared())
    throw error("Session::{}: expected prepareDevice() before, got none", operation);
  return *devicex_;
}

void Session::weightsFromHost() {
  popx::Devicex& devicex = prepared("weightsFromHost");
  for (Tensor* tensor : ir_->getMainGraph().getTensors().getOfType(TensorType::Variable))
    if (devicex.has(tensor->id))
      devicex.write(tensor->id, tensor->tensorData()->data(), bytes(*tensor));
}

void Session::weightsToHost() {
  popx::Devicex& devicex = prepared("weightsToHost");
  for (Tensor* tensor : ir_->getMainGraph().getTensors().getOfType(TensorType::Variable))
    if (devicex.has(tensor->id))
      devicex.read(tensor->id, tensor->tensorData()->data(), bytes(*tensor));
}

void Session::readWeights(const IWeightsIO& io) {
  for (Tensor* tensor : ir_->getMainGraph().getTensors().getOfType(TensorType::Variable))
    if (io.contains(tensor->id))
      std::memcpy(io.weight(tensor->id).data, tensor->tensorData()->data(), bytes(*tensor));
}

// Other numbers for each op and each batch.
void Session::writeSeeds() {
  std::uint64_t op = 0;
  for (Tensor* tensor : ir_->getMainGraph().getTensors().getOfType(TensorType::Stream)) {
    if (!tensor->isRandomSeedTensor() || !devicex_->has(tensor->id)) continue;
    const std::uint64_t seed = mixed(mixed(mixed(seed_ + 1) + batches_) + ++op);
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(seed),
                                    static_cast<std::uint32_t>(seed >> 32)};
    devicex_->write(tensor->id, words, sizeof words);
  }
}

void Session::copyAnchors(IStepIO& io, int batch) {
  for (const auto& anchor : dataFlow_.getAnchorReturnTypeMap()) {
    const Tensor& tensor = *ir_->getTensor(anchor.first);
    const AnchorReturnType& type = anchor.second;
    const bool last = batch + 1 == dataFlow_.batchesPerStep();
    const bool sums = type.id() == AnchorReturnTypeId::Sum;
    if (type.id() == AnchorReturnTypeId::Final && !last) continue;
    if (type.id() == AnchorReturnTypeId::EveryN && (batch + 1) % type.rp() != 0) continue;
    if (!sums) {
      const MutableVoidData out = io.out(anchor.first, tensor.info.nelms());
      devicex_->read(anchor.first, out.data, bytes(tensor));
      io.outComplete(anchor.first);
      continue;
    }
    if (tensor.info.dataType() != DataType::FLOAT)
      throw error("anchor '{}': expected FLOAT for a sum, got {}", anchor.first,
                  tensor.info.dataType());
    std::vector<float> values(static_cast<std::size_t>(tensor.info.nelms()));
    devicex_->read(anchor.first, values.data(), bytes(tensor));
    std::vector<float>& sum = sums_[anchor.first];
    if (batch == 0) sum.assign(values.size(), 0.0f);
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
    if (!last) continue;
    const MutableVoidData out = io.out(anchor.first, tensor.info.nelms());
    std::memcpy(out.data, sum.data(), bytes(tensor));
    io.outComplete(anchor.first);
  }
}

void Session::run(IStepIO& io, std::string) {
  popx::Devicex& devicex = prepared("run");
  for (int batch = 0; batch < dataFlow_.batchesPerStep(); ++batch) {
    for (const TensorId& id : ir_->getMainGraph().getInputIds()) {
      if (!devicex.has(id)) continue;
      const Tensor& tensor = *ir_->getTensor(id);
      const ConstVoidData data = io.in(id, tensor.info.nelms(), false);
      // It may describe a whole array, of which this is the next batch.
      if (data.info.dataType() != tensor.info.dataType() || data.info.nelms() < tensor.info.nelms())
        throw error("Session::run: input '{}': expected {}, got {}", id, tensor.info, data.info);
      devicex.write(id, data.data, bytes(tensor));
      io.inComplete(id, tensor.info.nelms());
    }
    writeSeeds();
    devicex.run();
    ++batches_;
    copyAnchors(io, batch);
  }
}

std::uint64_t Session::getCycleCount(std::string) { return prepared("getCycleCount").cycles(); }

TensorInfo Session::getInfo(TensorId id) const { return ir_->getTensor(id)->info; }
bool Session::hasInfo(TensorId id) const { return ir_->containsTensor(id); }

std::set<TensorId> Session::getAllTensorIds() const {
  const std::vector<TensorId> ids = ir_->getMainGraph().getTensors().getAllTensorIds();
  return std::set<TensorId>(ids.begin(), ids.end());
}

std::unique_ptr<InferenceSession> InferenceSession::createFromOnnxModel(
    const std::string& model, const DataFlow& dataFlow, std::shared_ptr<DeviceInfo> device,
    const InputShapeInfo& inputs, const SessionOptions& options, const Patterns& patterns,
    const std::string) {
  std::unique_ptr<InferenceSession> out(
      new InferenceSession(model, dataFlow, std::move(device), inputs, options, patterns));
  out->finish();
  return out;
}

std::unique_ptr<TrainingSession> TrainingSession::createFromOnnxModel(
    const std::string& model, const DataFlow& dataFlow, const TensorId& loss,
    const Optimizer& optimizer, std::shared_ptr<DeviceInfo> device, const InputShapeInfo& inputs,
    const SessionOptions& options, const Patterns& patterns, const std::string) {
  std::unique_ptr<TrainingSession> out(
      new TrainingSession(model, dataFlow, std::move(device), inputs, options, patterns));
  Ir& ir = *out->ir_;
  ir.setExecutionMode(Ir::ExecutionMode::Training);
  Graph& graph = ir.getMainGraph();
  emulator::addBackwards(graph, loss, optimizer.getLossScalingVal());
  for (Tensor* weight : graph.getTensors().getOfType(TensorType::Variable)) {
    const TensorId gradient = reservedGradientPrefix() + weight->id;
    if (!ir.containsTensor(gradient)) continue;
    optimizer.addUpdate(graph, *weight, gradient);
  }
  out->finish();
  return out;
}

void TrainingSession::updateOptimizerFromHost(const Optimizer* optimizer) {
  for (Tensor* weight : ir_->getMainGraph().getTensors().getOfType(TensorType::Variable)) {
    if (!ir_->containsTensor(reservedGradientPrefix() + weight->id)) continue;
    for (const auto& value : optimizer->values(*weight)) {
      ir_->getTensor(value.first)->setTensorDataFromCopyOf(&value.second, sizeof value.second);
      if (devicex_ != nullptr) devicex_->write(value.first, &value.second, sizeof value.second);
    }
  }
}

}  // namespace popart
