#ifndef snap_Tensor_hpp
#define snap_Tensor_hpp

#include <poplar/Tensor.hpp>
#include <utility>
#include <vector>

namespace snap {

class Graph;

/// A Poplar tensor, whose views are of this type too.
class Tensor : public poplar::Tensor {
 public:
  Tensor() = default;
  Tensor(const poplar::Tensor& tensor, const Graph&) : poplar::Tensor(tensor) {}
  Tensor(const poplar::Tensor& tensor, const Tensor&) : poplar::Tensor(tensor) {}
  const poplar::Tensor& getPoplarTensor() const { return *this; }
  poplar::Tensor& getPoplarTensor() { return *this; }

  // The views that poplar::Tensor has by these names.
#define POPSNN_SNAP_VIEW(NAME)                                      \
  template <class... Args>                                          \
  Tensor NAME(Args&&... args) const {                               \
    return view(poplar::Tensor::NAME(std::forward<Args>(args)...)); \
  }
  POPSNN_SNAP_VIEW(broadcast)
  POPSNN_SNAP_VIEW(dimRoll)
  POPSNN_SNAP_VIEW(dimShufflePartial)
  POPSNN_SNAP_VIEW(flatten)
  POPSNN_SNAP_VIEW(reinterpret)
  POPSNN_SNAP_VIEW(reverse)
  POPSNN_SNAP_VIEW(subSample)
  POPSNN_SNAP_VIEW(transpose)
#undef POPSNN_SNAP_VIEW
  Tensor operator[](std::size_t i) const { return view(poplar::Tensor::operator[](i)); }
  Tensor dimShuffle(const std::vector<unsigned>& order) const {
    return view(poplar::Tensor::dimShuffle(order));
  }
  Tensor expand(const std::vector<std::size_t>& dims) const {
    return view(poplar::Tensor::expand(dims));
  }
  Tensor index(const std::vector<std::size_t>& at) const { return view(poplar::Tensor::index(at)); }
  Tensor reshape(const std::vector<std::size_t>& shape) const {
    return view(poplar::Tensor::reshape(shape));
  }
  Tensor slice(std::size_t begin, std::size_t end, unsigned dimension = 0) const {
    return view(poplar::Tensor::slice(begin, end, dimension));
  }
  Tensor slice(const std::vector<std::size_t>& begin, const std::vector<std::size_t>& end) const {
    return view(poplar::Tensor::slice(begin, end));
  }
  Tensor slice(const poplar::Interval& region, unsigned dimension = 0) const {
    return view(poplar::Tensor::slice(region, dimension));
  }
  Tensor squeeze(const std::vector<std::size_t>& dims) const {
    return view(poplar::Tensor::squeeze(dims));
  }

 private:
  Tensor view(const poplar::Tensor& tensor) const { return Tensor(tensor, *this); }
};

inline std::vector<poplar::Tensor> getPoplarTensors(const std::vector<Tensor>& tensors) {
  return std::vector<poplar::Tensor>(tensors.begin(), tensors.end());
}

}  // namespace snap

#endif  // snap_Tensor_hpp
