#include <algorithm>
#include <cstring>
#include <popart/graph.hpp>
#include <popart/op.hpp>
#include <popart/tensornames.hpp>

namespace popart {

bool POpCmp::operator()(const Op* a, const Op* b) const { return a->id < b->id; }
bool PTensorCmp::operator()(const Tensor* a, const Tensor* b) const { return a->id < b->id; }

int Consumers::n(Op* op) const {
  const auto entry = ops_.find(op);
  return entry == ops_.end() ? 0 : entry->second;
}

void Consumers::increment(Op* op) { ++ops_[op]; }

void Consumers::decrement(Op* op) {
  const auto entry = ops_.find(op);
  if (entry == ops_.end())
    throw internal_error("Consumers::decrement: expected a consumer, got {}", op->debugName());
  if (--entry->second == 0) ops_.erase(entry);
}

int Consumers::getTotal() const {
  int total = 0;
  for (const auto& op : ops_) total += op.second;
  return total;
}

std::vector<Op*> Consumers::getOps() const {
  std::vector<Op*> out;
  for (const auto& op : ops_) out.push_back(op.first);
  return out;
}

Tensor::Tensor(TensorId id_, TensorType type, Graph& graph, const DebugContext& debugContext)
    : id(std::move(id_)), graph_(graph), type_(type), debugInfo_(debugContext, "popart") {}

std::string Tensor::tensor_type() const {
  std::ostringstream out;
  out << type_;
  return out.str();
}

Op* Tensor::getProducer() const {
  if (producer_ == nullptr)
    throw error("Tensor::getProducer: '{}': expected an op that makes it, got none", id);
  return producer_;
}

void Tensor::setProducer(Op* op) {
  if (producer_ != nullptr)
    throw error("Tensor::setProducer: '{}': expected no producer, got {} after {}", id,
                op->debugName(), producer_->debugName());
  producer_ = op;
}

bool Tensor::isGraphInput() const { return graph_.hasInputId(id); }
bool Tensor::isGraphOutput() const { return graph_.hasOutputId(id); }
bool Tensor::isAnchored() const { return isGraphOutput(); }

bool Tensor::isOptimizerTensor() const {
  return id.compare(0, std::strlen(reservedDefaultLearningRatePrefix()),
                    reservedDefaultLearningRatePrefix()) == 0;
}

bool Tensor::isRandomSeedTensor() const {
  return id.compare(0, std::strlen(reservedRandomSeedPrefix()), reservedRandomSeedPrefix()) == 0;
}

bool Tensor::isModified(bool) const {
  for (Op* op : consumers.getOps())
    if (op->modifiesTensor(const_cast<Tensor*>(this))) return true;
  return false;
}

TensorData* Tensor::tensorData() {
  if (data_ == nullptr) throw error("Tensor::tensorData: '{}': expected data, got none", id);
  return data_.get();
}
const TensorData* Tensor::tensorData() const { return const_cast<Tensor*>(this)->tensorData(); }

void Tensor::setTensorDataFromCopyOf(const void* source, std::size_t size) {
  data_.reset(new TensorData(TensorData::fromCopyOf(source, size)));
}

std::vector<Op*> Tensor::associatedOps() const {
  std::vector<Op*> out = consumers.getOps();
  if (producer_ != nullptr) out.insert(out.begin(), producer_);
  return out;
}

Ir& Tensor::getIr() { return graph_.getIr(); }
const Ir& Tensor::getIr() const { return graph_.getIr(); }

TensorData TensorData::fromCopyOf(const void* source, std::size_t size) {
  const char* bytes = static_cast<const char*>(source);
  return TensorData(std::vector<char>(bytes, bytes + size));
}
TensorData TensorData::fromEmplaceOf(std::vector<char>&& data) {
  return TensorData(std::move(data));
}
void TensorData::resetData(const TensorInfo& info, const void* source) {
  *this = fromCopyOf(source, static_cast<std::size_t>(info.nbytes()));
}

Tensor* Tensors::get(TensorId id) const {
  const auto entry = tensors_.find(id);
  if (entry == tensors_.end()) throw error("Tensors::get: expected a tensor '{}', got none", id);
  return entry->second.get();
}

Tensor* Tensors::add(const TensorId& id, TensorType type, const DebugContext& debugContext) {
  if (contains(id)) throw error("Tensors: expected a new id, got '{}' again", id);
  return (tensors_[id] = std::make_unique<Tensor>(id, type, graph_, debugContext)).get();
}

void Tensors::addVarInit(const TensorId& id, const TensorInfo& info, const void* source,
                         const DebugContext& debugContext) {
  Tensor* tensor = add(id, TensorType::Variable, debugContext);
  tensor->info = info;
  tensor->setTensorDataFromCopyOf(source, static_cast<std::size_t>(info.nbytes()));
}

void Tensors::addConstInit(const TensorId& id, const TensorInfo& info, const void* source,
                           const DebugContext& debugContext) {
  Tensor* tensor = add(id, TensorType::Const, debugContext);
  tensor->info = info;
  tensor->setTensorDataFromCopyOf(source, static_cast<std::size_t>(info.nbytes()));
}

void Tensors::addStream(TensorId id, const TensorInfo& info, const DebugContext& debugContext) {
  add(id, TensorType::Stream, debugContext)->info = info;
}

void Tensors::addActGrad(TensorId id, const DebugContext& debugContext) {
  add(id, TensorType::ActGrad, debugContext);
}

std::vector<Tensor*> Tensors::getAll() const {
  std::vector<Tensor*> out;
  for (const auto& t : tensors_) out.push_back(t.second.get());
  return out;
}

std::vector<Tensor*> Tensors::getOfType(TensorType type) const {
  std::vector<Tensor*> out;
  for (Tensor* t : getAll())
    if (t->tensorType() == type) out.push_back(t);
  return out;
}

std::vector<TensorId> Tensors::getIds(TensorType type) const {
  std::vector<TensorId> out;
  for (Tensor* t : getOfType(type)) out.push_back(t->id);
  return out;
}

std::vector<TensorId> Tensors::getAllTensorIds() const {
  std::vector<TensorId> out;
  for (const auto& t : tensors_) out.push_back(t.first);
  return out;
}

std::vector<TensorId> Tensors::getNoProducerIds() const {
  std::vector<TensorId> out;
  for (Tensor* t : getAll())
    if (!t->hasProducer()) out.push_back(t->id);
  return out;
}

}  // namespace popart
