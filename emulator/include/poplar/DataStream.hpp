#ifndef poplar_DataStream_hpp
#define poplar_DataStream_hpp

#include <cstddef>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/Type.hpp>
#include <string>

namespace poplar {

enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO };

/// One end of a FIFO between host and device.
class DataStream {
 public:
  DataStream() : type_(DataStreamType::HostToDeviceFIFO), numElements_(0) {}
  DataStream(std::string handle, DataStreamType type, Type elementType, std::size_t numElements)
      : handle_(handle), type_(type), elementType_(elementType), numElements_(numElements) {}

  std::string handle() const { return handle_; }
  DataStreamType type() const { return type_; }
  Type elementType() const { return elementType_; }
  std::size_t numElements() const { return numElements_; }

 private:
  std::string handle_;
  DataStreamType type_;
  Type elementType_;
  std::size_t numElements_;
};

}  // namespace poplar

#endif  // poplar_DataStream_hpp
