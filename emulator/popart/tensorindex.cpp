#include <popart/error.hpp>
#include <popart/tensorindex.hpp>

namespace popart {

void TensorIndexMap::insert(int index, Tensor* tensor) {
  if (hasIndex(index))
    throw error("TensorIndexMap::insert: expected a free index, got {} for '{}'", index,
                tensor->id);
  tensors_[index] = tensor;
}

void TensorIndexMap::reset(int index, Tensor* tensor) {
  this->tensor(index);
  tensors_[index] = tensor;
}

void TensorIndexMap::erase(int index) {
  tensor(index);
  tensors_.erase(index);
}

const Tensor* TensorIndexMap::tensor(int index) const {
  const auto entry = tensors_.find(index);
  if (entry == tensors_.end()) {
    throw error("TensorIndexMap: expected an index that has a tensor, got {} of {} tensors", index,
                n());
  }
  return entry->second;
}

Tensor* TensorIndexMap::tensor(int index) {
  return const_cast<Tensor*>(static_cast<const TensorIndexMap*>(this)->tensor(index));
}

std::vector<int> TensorIndexMap::indices(Tensor* tensor) const {
  std::vector<int> out;
  for (const auto& t : tensors_)
    if (t.second == tensor) out.push_back(t.first);
  return out;
}

std::map<Tensor*, std::vector<int>, PTensorCmp> TensorIndexMap::indicesMap() const {
  std::map<Tensor*, std::vector<int>, PTensorCmp> out;
  for (const auto& t : tensors_) out[t.second].push_back(t.first);
  return out;
}

std::vector<Tensor*> TensorIndexMap::tensors() const {
  std::vector<Tensor*> out;
  for (const auto& t : tensors_) out.push_back(t.second);
  return out;
}

std::map<int, TensorId> TensorIndexMap::tensorIdMap() const {
  std::map<int, TensorId> out;
  for (const auto& t : tensors_) out[t.first] = t.second->id;
  return out;
}

std::map<int, Shape> TensorIndexMap::getIndexShapeMap() const {
  std::map<int, Shape> out;
  for (const auto& t : tensors_) out[t.first] = t.second->info.shape();
  return out;
}

int TensorIndexMap::minIndex() const { return tensors_.empty() ? 0 : tensors_.begin()->first; }
int TensorIndexMap::maxIndex() const { return tensors_.empty() ? 0 : tensors_.rbegin()->first; }

}  // namespace popart
