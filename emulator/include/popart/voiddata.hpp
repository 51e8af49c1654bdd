#ifndef popart_voiddata_hpp
#define popart_voiddata_hpp

#include <popart/tensorinfo.hpp>

namespace popart {

/// A whole tensor on the host, which is only read.
class ConstVoidData {
 public:
  ConstVoidData() = default;
  ConstVoidData(const void* data_, const TensorInfo& info_) : data(data_), info(info_) {}
  const void* data = nullptr;
  TensorInfo info;
};

/// One that is written.
class MutableVoidData {
 public:
  MutableVoidData() = default;
  MutableVoidData(void* data_, const TensorInfo& info_) : data(data_), info(info_) {}
  void* data = nullptr;
  TensorInfo info;
};

}  // namespace popart

#endif  // popart_voiddata_hpp
