#ifndef popart_ndarraywrapper_hpp
#define popart_ndarraywrapper_hpp

#include <ostream>
#include <popart/iarray.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

/// A row-major array in memory that someone else owns.
template <class T>
class NDArrayWrapper : public IArray {
 public:
  NDArrayWrapper(T* data, const TensorInfo& info) : data_(data), info_(info) {}
  NDArrayWrapper(T* data, const std::vector<std::int64_t>& shape)
      : NDArrayWrapper(data, TensorInfo(getDataType<T>(), shape)) {}

  T& operator[](std::int64_t i) { return data_[i]; }
  const T& operator[](std::int64_t i) const { return data_[i]; }
  T& operator[](const std::vector<std::int64_t>& indices) { return data_[flatten(indices)]; }
  std::int64_t flatten(const std::vector<std::int64_t>& indices) const {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < indices.size(); ++i)
      flat = flat * info_.dim(static_cast<int>(i)) + indices[i];
    return flat;
  }

  void* data() final { return data_; }
  DataType dataType() const final { return info_.dataType(); }
  std::size_t rank() const final { return static_cast<std::size_t>(info_.rank()); }
  std::int64_t dim(std::size_t index) const final { return info_.dim(static_cast<int>(index)); }
  std::size_t nelms() const final { return static_cast<std::size_t>(info_.nelms()); }
  const Shape shape() const final { return info_.shape(); }

 private:
  T* data_;
  TensorInfo info_;
};

/// Writes {a, b, c}.
template <class T>
std::ostream& operator<<(std::ostream& out, const NDArrayWrapper<T>& array) {
  const char* separator = "";
  out << '{';
  for (std::size_t i = 0; i < array.nelms(); ++i) {
    out << separator << array[static_cast<std::int64_t>(i)];
    separator = ", ";
  }
  return out << '}';
}

}  // namespace popart

#endif  // popart_ndarraywrapper_hpp
