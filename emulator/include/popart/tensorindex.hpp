#ifndef popart_tensorindex_hpp
#define popart_tensorindex_hpp

#include <map>
#include <popart/names.hpp>
#include <popart/tensor.hpp>
#include <string>
#include <vector>

namespace popart {

/// An op's inputs, or its outputs, by index.
class TensorIndexMap {
 public:
  void insert(int index, Tensor* tensor);
  void reset(int index, Tensor* tensor);
  void erase(int index);
  void clear() { tensors_.clear(); }

  bool contains(Tensor* tensor) const { return !indices(tensor).empty(); }
  bool hasIndex(int index) const { return tensors_.count(index) > 0; }
  /// Throw `error` for an index that is not connected.
  Tensor* tensor(int index);
  const Tensor* tensor(int index) const;
  TensorId id(int index) const { return tensor(index)->id; }
  std::vector<int> indices(Tensor* tensor) const;
  std::map<Tensor*, std::vector<int>, PTensorCmp> indicesMap() const;
  const std::map<int, Tensor*>& tensorMap() const { return tensors_; }
  std::vector<Tensor*> tensors() const;
  std::map<int, TensorId> tensorIdMap() const;
  std::map<int, Shape> getIndexShapeMap() const;
  int n() const { return static_cast<int>(tensors_.size()); }
  int minIndex() const;
  int maxIndex() const;

 private:
  std::map<int, Tensor*> tensors_;
};

}  // namespace popart

#endif  // popart_tensorindex_hpp
