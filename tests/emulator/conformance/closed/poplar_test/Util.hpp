// What the public tests of poplibs take from a closed header of Poplar's own tests: host memory for
// tensors with streams to and from it, and numbers of the host as those of a device.
#pragma once
#include <boost/multi_array.hpp>
#include <boost/optional.hpp>
#include <functional>
#include <memory>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/TypeConversion.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace poplar_test {

struct HostMemory {
  char* data;
  std::size_t size;  // bytes
};
using StreamMap = std::vector<std::pair<std::string, HostMemory>>;

inline std::unique_ptr<char[]> allocateHostMemoryForTensor(const poplar::Target& target,
                                                           const poplar::Tensor& t,
                                                           unsigned replication = 1) {
  return std::unique_ptr<char[]>(
      new char[t.numElements() * target.getTypeSize(t.elementType()) * replication]());
}

inline std::unique_ptr<char[]> allocateHostMemoryForTensor(
    const poplar::Tensor& t, const std::string& name, poplar::Graph& graph,
    boost::optional<poplar::program::Sequence&> upload,
    boost::optional<poplar::program::Sequence&> download, StreamMap& map) {
  const std::size_t bytes = t.numElements() * graph.getTarget().getTypeSize(t.elementType());
  auto data = allocateHostMemoryForTensor(graph.getTarget(), t);
  if (upload) {
    const auto in = graph.addHostToDeviceFIFO(name + " in", t.elementType(), t.numElements());
    upload->add(poplar::program::Copy(in, t));
    map.push_back({name + " in", {data.get(), bytes}});
  }
  if (download) {
    const auto out = graph.addDeviceToHostFIFO(name + " out", t.elementType(), t.numElements());
    download->add(poplar::program::Copy(t, out));
    map.push_back({name + " out", {data.get(), bytes}});
  }
  return data;
}

inline void attachStreams(poplar::Engine& engine, const StreamMap& map) {
  for (const auto& entry : map) {
    engine.connectStream(entry.first, entry.second.data, entry.second.data + entry.second.size);
  }
}

namespace detail {

// Calls `fn` with a number of the host's type for numbers of a device, which is not half.
template <class Fn>
void withType(const poplar::Type& type, const Fn& fn) {
  if (type == poplar::FLOAT) return fn(float());
  if (type == poplar::INT) return fn(int());
  if (type == poplar::UNSIGNED_INT) return fn(unsigned());
  if (type == poplar::SHORT) return fn(short());
  if (type == poplar::UNSIGNED_SHORT) return fn((unsigned short)0);
  if (type == poplar::CHAR) return fn(char());
  if (type == poplar::SIGNED_CHAR) return fn((signed char)0);
  if (type == poplar::UNSIGNED_CHAR) return fn((unsigned char)0);
  if (type == poplar::BOOL) return fn(bool());
  if (type == poplar::LONGLONG) return fn((long long)0);
  if (type == poplar::UNSIGNED_LONGLONG) return fn((unsigned long long)0);
  throw std::runtime_error("copy: expected a type of numbers, got " + type.toString());
}

}  // namespace detail

/// `n` numbers of the host to those of a device, and back.
template <class T>
void copy(const poplar::Target& target, const T* from, std::size_t n, const poplar::Type& type,
          void* to) {
  if (type == poplar::HALF) {
    std::vector<float> numbers(from, from + n);
    poplar::copyFloatToDeviceHalf(target, numbers.data(), to, n);
    return;
  }
  detail::withType(type, [&](auto x) {
    for (std::size_t i = 0; i < n; ++i) static_cast<decltype(x)*>(to)[i] = decltype(x)(from[i]);
  });
}
template <class T>
void copy(const poplar::Target& target, const poplar::Type& type, const void* from, T* to,
          std::size_t n) {
  if (type == poplar::HALF) {
    std::vector<float> numbers(n);
    poplar::copyDeviceHalfToFloat(target, from, numbers.data(), n);
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<T>(numbers[i]);
    return;
  }
  detail::withType(type, [&](auto x) {
    for (std::size_t i = 0; i < n; ++i) to[i] = T(static_cast<const decltype(x)*>(from)[i]);
  });
}

template <class T>
void copy(const poplar::Target& target, const std::vector<T>& from, const poplar::Type& type,
          void* to) {
  if constexpr (std::is_same<T, bool>::value) {
    const std::vector<unsigned char> bytes(from.begin(), from.end());
    copy(target, bytes.data(), bytes.size(), type, to);
  } else {
    copy(target, from.data(), from.size(), type, to);
  }
}
template <class T>
void copy(const poplar::Target& target, const poplar::Type& type, const void* from,
          std::vector<T>& to) {
  copy(target, type, from, to.data(), to.size());
}
template <class T, std::size_t rank>
void copy(const poplar::Target& target, const boost::multi_array<T, rank>& from,
          const poplar::Type& type, void* to) {
  copy(target, from.data(), from.num_elements(), type, to);
}
template <class T, std::size_t rank>
void copy(const poplar::Target& target, const poplar::Type& type, const void* from,
          boost::multi_array_ref<T, rank>& to) {
  copy(target, type, from, to.data(), to.num_elements());
}

}  // namespace poplar_test
