// What the public tests of poplibs take from its closed test support: host memory for tensors, with
// streams to and from it.
#pragma once
#include <memory>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <string>
#include <utility>
#include <vector>

namespace poplar_test {

struct HostMemory {
  char* data;
  std::size_t size;  // bytes
};

inline std::unique_ptr<char[]> allocateHostMemoryForTensor(
    const poplar::Tensor& t, const std::string& name, poplar::Graph& graph,
    poplar::program::Sequence& upload, poplar::program::Sequence& download,
    std::vector<std::pair<std::string, HostMemory>>& map) {
  const std::size_t bytes = t.numElements() * graph.getTarget().getTypeSize(t.elementType());
  std::unique_ptr<char[]> data(new char[bytes]());
  const poplar::DataStream in =
      graph.addHostToDeviceFIFO(name + " in", t.elementType(), t.numElements());
  const poplar::DataStream out =
      graph.addDeviceToHostFIFO(name + " out", t.elementType(), t.numElements());
  upload.add(poplar::program::Copy(in, t));
  download.add(poplar::program::Copy(t, out));
  map.push_back({name + " in", {data.get(), bytes}});
  map.push_back({name + " out", {data.get(), bytes}});
  return data;
}

inline void attachStreams(poplar::Engine& engine,
                          const std::vector<std::pair<std::string, HostMemory>>& map) {
  for (const auto& entry : map) {
    engine.connectStream(entry.first, entry.second.data, entry.second.data + entry.second.size);
  }
}

}  // namespace poplar_test

namespace poplibs_test {
namespace util {}
}  // namespace poplibs_test
