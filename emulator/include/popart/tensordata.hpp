#ifndef popart_tensordata_hpp
#define popart_tensordata_hpp

#include <cstddef>
#include <cstring>  // programs for the SDK count on it
#include <popart/error.hpp>
#include <vector>

namespace popart {

class TensorInfo;

/// The bytes of a tensor on the host.
class TensorData {
 public:
  static TensorData fromCopyOf(const void* source, std::size_t size);
  static TensorData fromEmplaceOf(std::vector<char>&& data);

  void* data() { return data_.data(); }
  const void* data() const { return data_.data(); }
  std::size_t size() const { return data_.size(); }
  void resetData(const TensorInfo& info, const void* source);

  template <class T>
  std::vector<T> copyDataAs(int n) const {
    if (size() != n * sizeof(T))
      throw error("TensorData::copyDataAs: expected {} bytes, got {}", n * sizeof(T), size());
    const T* begin = static_cast<const T*>(data());
    return std::vector<T>(begin, begin + n);
  }

 private:
  explicit TensorData(std::vector<char> data) : data_(std::move(data)) {}
  std::vector<char> data_;
};

}  // namespace popart

#endif  // popart_tensordata_hpp
