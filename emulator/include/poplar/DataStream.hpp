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

/// Rows of elements in memory that the device reaches through the host: `repeats` rows of
/// `numElements`.
class RemoteBuffer {
 public:
  RemoteBuffer() : numElements_(0), repeats_(1), rearrangeOnHost_(false), optimiseMemory_(false) {}
  RemoteBuffer(std::string handle, Type elementType, std::size_t numElements, std::size_t repeats,
               bool rearrangeOnHost, bool optimiseMemory)
      : handle_(handle),
        elementType_(elementType),
        numElements_(numElements),
        repeats_(repeats),
        rearrangeOnHost_(rearrangeOnHost),
        optimiseMemory_(optimiseMemory) {}

  std::string handle() const { return handle_; }
  Type elementType() const { return elementType_; }
  std::size_t numElements() const { return numElements_; }
  std::size_t getRepeats() const { return repeats_; }
  bool isRearrangeOnHost() const { return rearrangeOnHost_; }
  bool isOptimisedForMemory() const { return optimiseMemory_; }

 private:
  std::string handle_;
  Type elementType_;
  std::size_t numElements_, repeats_;
  bool rearrangeOnHost_, optimiseMemory_;
};

}  // namespace poplar

#endif  // poplar_DataStream_hpp
