#ifndef popart_popx_poptensors_hpp
#define popart_popx_poptensors_hpp

#include <map>
#include <popart/names.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Ir;

namespace popx {

/// Poplar's tensors of the graph, by id.
class PopTensors {
 public:
  explicit PopTensors(const Ir& ir) : ir_(ir) {}

  /// Throws `error` where the tensor is known and its type and shape are others, or where there
  /// is one already.
  void insert(TensorId id, const poplar::Tensor& tensor);
  const poplar::Tensor& get(TensorId id) const;
  bool contains(TensorId id) const { return tensors_.count(id) > 0; }

 private:
  const Ir& ir_;
  std::map<TensorId, poplar::Tensor> tensors_;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_poptensors_hpp
