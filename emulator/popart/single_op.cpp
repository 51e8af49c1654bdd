#include <popart/emulator/SingleOp.hpp>
#include <popart/error.hpp>
#include <popart/opmanager.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/tensornames.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>

namespace popart {
namespace emulator {

namespace {

const TensorInfo kSeedInfo(DataType::UINT32, {2});

TensorId inputId(InIndex index) { return "input:" + std::to_string(index); }

poplar::Device makeDevice(const DeviceOptions& options) {
  poplar::IPUModel model(options.model.c_str());
  model.numIPUs = options.ipus;
  // A target's getMaxIPUSyncDelay() is then 126, as a public transcription of an ipu21 has it.
  model.minIPUSyncDelay = 116;
  if (options.tilesPerIpu > 0) model.tilesPerIPU = options.tilesPerIpu;
  return model.createDevice();
}

std::string keyOf(const OperatorIdentifier& opid, const Attributes& attributes,
                  const std::vector<TensorInfo>& inputs, int numOutputs) {
  std::ostringstream out;
  out << opid << ' ' << numOutputs << ' ' << attributes.key();
  for (const TensorInfo& info : inputs) out << ';' << info;
  return out.str();
}

// Puts the op's name before errors of its own code, which seldom names it.
template <class F>
void naming(const OperatorIdentifier& opid, F code) {
  try {
    code();
  } catch (const error& e) {
    const std::string name = logging::format("{}: ", opid), text = e.what();
    throw error(text.compare(0, name.size(), name) == 0 ? text : name + text);
  }
}

std::mutex& cacheMutex() {
  static std::mutex mutex;
  return mutex;
}

std::map<std::string, std::shared_ptr<SingleOp>>& cache() {
  static std::map<std::string, std::shared_ptr<SingleOp>> all;
  return all;
}

std::string registeredLike(const OperatorIdentifier& opid) {
  std::vector<OperatorIdentifier> out;
  for (const OperatorIdentifier& known : OpManager::getSupportedOperations(true))
    if (known.domain == opid.domain || known.type == opid.type) out.push_back(known);
  return out.empty() ? "none of its domain or type" : logging::join(out.begin(), out.end(), ", ");
}

}  // namespace

std::string DeviceOptions::key() const {
  std::ostringstream out;
  out << model << ' ' << ipus << ' ' << tilesPerIpu << ' ' << session.opxAliasChecking;
  for (const auto& option : session.engineOptions)
    out << ';' << option.first << '=' << option.second;
  for (const auto& pattern : session.patterns) out << ';' << pattern.first << '=' << pattern.second;
  for (const std::string& path : session.customCodelets) out << ';' << path;
  out << ';' << session.customCodeletCompileFlags;
  return out.str();
}

// The op once more, in an Ir of its own that patterns may change, on a device.
struct SingleOp::Compiled {
  Ir ir;
  poplar::Device device;
  std::unique_ptr<popx::Devicex> devicex;
};

SingleOp::SingleOp() : ir_(std::make_shared<Ir>()) {}
SingleOp::~SingleOp() = default;

void SingleOp::connect(std::unique_ptr<Op> op, const std::map<InIndex, TensorInfo>& in,
                       InIndex seed, const std::vector<OutIndex>& out) {
  Graph& graph = ir_->getMainGraph();
  op_ = graph.getOp(graph.moveIntoGraph(std::move(op)));
  inputs_.resize(in.empty() ? 0 : static_cast<std::size_t>(in.rbegin()->first) + 1);
  for (const auto& input : in) {
    popx::popType(input.second);
    graph.addInput(inputId(input.first), input.second);
    op_->connectInTensor(input.first, inputId(input.first));
    inputs_[static_cast<std::size_t>(input.first)] = input.second;
  }
  for (InIndex i = 0; i < static_cast<InIndex>(inputs_.size()); ++i)
    if (!op_->hasInput(i) && op_->optionalInputs().count(i) == 0 && i != seed)
      throw error("{}: expected input {}, which is not optional, got none", op_->opid, i);
  if (op_->requiresRandomSeed()) {
    seedIndex_ = seed;
    seedId_ = std::string(reservedRandomSeedPrefix()) + "fromHost";
    graph.addInput(seedId_, kSeedInfo);
    op_->connectInTensor(seed, seedId_);
  }
  for (OutIndex index : out) {
    outputIds_.push_back(op_->opid.type + ":" + std::to_string(index));
    op_->createAndConnectOutTensor(index, outputIds_.back());
  }
  op_->setup();
  for (OutIndex index : out) {
    const TensorInfo& info = op_->outInfo(index);
    if (!info.isSet())
      throw error("{}: expected setup() to set the type of output {}, got none", op_->opid, index);
    popx::popType(info);
    outputs_.push_back(info);
  }
  for (const auto& input : in)
    if (op_->modifiesIndex(input.first)) modified_.push_back(input.first);
}

std::shared_ptr<SingleOp> SingleOp::make(const OperatorIdentifier& opid,
                                         const Attributes& attributes,
                                         const std::vector<TensorInfo>& inputs, int numOutputs) {
  const std::lock_guard<std::mutex> lock(cacheMutex());
  const std::string key = keyOf(opid, attributes, inputs, numOutputs);
  const auto entry = cache().find(key);
  if (entry != cache().end()) return entry->second;

  std::shared_ptr<SingleOp> out(new SingleOp());
  std::unique_ptr<Op> op =
      OpManager::createOp(opid.domain, opid.type, static_cast<int>(opid.version),
                          out->ir_->getMainGraph(), opid.type, {}, attributes);
  if (op == nullptr) {
    throw error("{}: expected a registered operator (loaded: {}), got an unknown one", opid,
                registeredLike(opid));
  }
  if (!attributes.misread().empty()) throw error("{}: {}", opid, attributes.misread().front());
  std::map<InIndex, TensorInfo> in;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].isSet()) in[static_cast<InIndex>(i)] = inputs[i];
  // Of operators in a model alone: public gradient ops give numbers that are not theirs.
  const NumInputs allowed = op->opid.numInputs;
  const int count = static_cast<int>(in.size());
  if ((allowed.min > 0 && count < allowed.min) || (allowed.max > 0 && count > allowed.max)) {
    throw error("{}: expected {} to {} inputs, got {}", op->opid, allowed.min, allowed.max, count);
  }
  std::vector<OutIndex> indices;
  for (OutIndex i = 0; i < numOutputs; ++i) indices.push_back(i);
  const InIndex seed = op->getSeedInIndex();
  naming(opid, [&] { out->connect(std::move(op), in, seed, indices); });
  return cache()[key] = out;
}

void SingleOp::clear() {
  const std::lock_guard<std::mutex> lock(cacheMutex());
  cache().clear();
}

std::vector<InIndex> SingleOp::optionalInputs() const {
  const std::set<InIndex> all = op_->optionalInputs();
  return std::vector<InIndex>(all.begin(), all.end());
}

std::vector<std::pair<InIndex, OutIndex>> SingleOp::aliases() const {
  std::vector<std::pair<InIndex, OutIndex>> out;
  for (const auto& input : op_->input->tensorMap())
    for (const auto& output : op_->output->tensorMap())
      if (op_->doesAlias(input.first, output.first)) out.push_back({input.first, output.first});
  return out;
}

std::string SingleOp::attributes() const {
  std::stringstream out;
  op_->append(out);
  return out.str();
}

std::unique_ptr<SingleOp> SingleOp::gradient(std::unique_ptr<Op> gradOp) const {
  std::unique_ptr<SingleOp> out(new SingleOp());
  out->ir_->setExecutionMode(Ir::ExecutionMode::Training);
  out->ir_->setConstructedBackwards();
  out->forwardIr_ = ir_;
  out->forward_ = op_;
  std::map<InIndex, TensorInfo> in;
  InIndex seed = gradOp->getSeedInIndex();
  std::map<InIndex, GradientInput> sources;
  for (const GradInOutMapper& mapper : gradOp->gradInputInfo()) {
    const bool isInput = mapper.type == GradOpInType::In;
    if (isInput && takesSeed() && mapper.iNonGrad == seedIndex_) {
      seed = mapper.iGrad;
      continue;
    }
    if (isInput ? !op_->hasInput(mapper.iNonGrad) : !op_->hasOutput(mapper.iNonGrad)) continue;
    in[mapper.iGrad] = isInput ? op_->inInfo(mapper.iNonGrad) : op_->outInfo(mapper.iNonGrad);
    sources[mapper.iGrad] = {true, mapper.type, mapper.iNonGrad};
  }
  std::vector<OutIndex> indices;
  for (const auto& output : gradOp->gradOutToNonGradIn()) {
    if (!op_->hasInput(output.second)) continue;
    out->gradientOutputs_[static_cast<int>(indices.size())] = output.second;
    indices.push_back(output.first);
  }
  const OperatorIdentifier opid = gradOp->opid;
  naming(opid, [&] { out->connect(std::move(gradOp), in, seed, indices); });
  out->gradientInputs_.resize(out->inputs_.size());
  for (const auto& source : sources)
    out->gradientInputs_[static_cast<std::size_t>(source.first)] = source.second;
  return out;
}

const std::vector<std::shared_ptr<SingleOp>>& SingleOp::gradients() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!hasGradients_) {
    std::vector<std::shared_ptr<SingleOp>> all;
    for (std::unique_ptr<Op>& op : op_->getGradOps()) all.push_back(gradient(std::move(op)));
    gradients_ = std::move(all);
    hasGradients_ = true;
  }
  return gradients_;
}

SingleOp::Compiled& SingleOp::compiled(const DeviceOptions& device) {
  std::unique_ptr<Compiled>& cached = compiled_[device.key()];
  if (cached != nullptr) return *cached;
  std::unique_ptr<Compiled> out(new Compiled());
  out->ir.getSessionOptions() = device.session;
  out->ir.setExecutionMode(ir_->getExecutionMode());
  if (ir_->hasConstructedBackwards()) out->ir.setConstructedBackwards();
  Graph& graph = out->ir.getMainGraph();
  Op* op = graph.getOp(graph.moveIntoGraph(op_->clone()));
  for (const auto& input : op_->input->tensorMap()) {
    graph.addInput(input.second->id, input.second->info);
    op->connectInTensor(input.first, input.second->id);
  }
  for (const auto& output : op_->output->tensorMap()) {
    op->createAndConnectOutTensor(output.first, output.second->id);
    graph.markAsOutput(output.second->id);
  }
  op->setup();
  out->ir.applyPreAliasPatterns();
  out->device = makeDevice(device);
  out->devicex.reset(new popx::Devicex(out->ir, out->device));
  std::vector<TensorId> reads = outputIds_;
  for (InIndex index : modified_) reads.push_back(inputId(index));
  std::vector<Op*> related;
  if (forward_ != nullptr) related.push_back(forward_);
  naming(op_->opid, [&] { out->devicex->prepare(reads, related); });
  cached = std::move(out);
  return *cached;
}

void SingleOp::run(const DeviceOptions& device, const std::vector<const void*>& in,
                   const std::vector<void*>& out, const std::map<InIndex, void*>& modified,
                   std::uint64_t seed) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Compiled& c = compiled(device);
  popx::Devicex& devicex = *c.devicex;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const TensorId id = inputId(static_cast<InIndex>(i));
    if (inputs_[i].isSet() && devicex.has(id))
      devicex.write(id, in[i], static_cast<std::size_t>(inputs_[i].nbytes()));
  }
  if (takesSeed() && devicex.has(seedId_)) {
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(seed),
                                    static_cast<std::uint32_t>(seed >> 32)};
    devicex.write(seedId_, words, sizeof words);
  }
  devicex.run();
  last_ = &c;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    devicex.read(outputIds_[i], out[i], static_cast<std::size_t>(outputs_[i].nbytes()));
  for (const auto& m : modified)
    devicex.read(inputId(m.first), m.second,
                 static_cast<std::size_t>(inputs_[static_cast<std::size_t>(m.first)].nbytes()));
}

std::uint64_t SingleOp::cycles() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_ == nullptr) throw error("{}: cycles: expected a run before, got none", op_->opid);
  return last_->devicex->cycles();
}

}  // namespace emulator
}  // namespace popart
