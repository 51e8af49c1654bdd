#ifndef snap_Tensor_hpp
#define snap_Tensor_hpp

#include <poplar/Tensor.hpp>
#include <vector>

namespace snap {

class Graph;

/// A Poplar tensor.
class Tensor : public poplar::Tensor {
 public:
  Tensor() = default;
  Tensor(const poplar::Tensor& tensor, const Graph&) : poplar::Tensor(tensor) {}
  Tensor(const poplar::Tensor& tensor, const Tensor&) : poplar::Tensor(tensor) {}
  const poplar::Tensor& getPoplarTensor() const { return *this; }
  poplar::Tensor& getPoplarTensor() { return *this; }
};

inline std::vector<poplar::Tensor> getPoplarTensors(const std::vector<Tensor>& tensors) {
  return std::vector<poplar::Tensor>(tensors.begin(), tensors.end());
}

}  // namespace snap

#endif  // snap_Tensor_hpp
