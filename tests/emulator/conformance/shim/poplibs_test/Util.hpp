// What the public tests of poplibs take from its closed test support: host memory for tensors, with
// streams to and from it, comparisons of numbers, types of options.
#pragma once
#include <cmath>
#include <iostream>
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
namespace util {

/// Whether each number is close to the expected one; tells the first that is not.
template <class Actual, class Expected>
bool checkIsClose(const std::string& name, const Actual* actual,
                  const std::vector<std::size_t>& shape, const Expected* expected, std::size_t n,
                  double relativeTolerance, double absoluteTolerance = 0) {
  std::size_t elements = 1;
  for (const std::size_t d : shape) elements *= d;
  if (elements != n) {
    std::cerr << name << ": expected " << n << " elements, got " << elements << '\n';
    return false;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(actual[i]), y = static_cast<double>(expected[i]);
    if (!(std::abs(x - y) <= absoluteTolerance + relativeTolerance * std::abs(y))) {
      std::cerr << name << ": element " << i << ": expected " << y << ", got " << x << '\n';
      return false;
    }
  }
  return true;
}

}  // namespace util
}  // namespace poplibs_test

namespace poplar {

/// Reads the type of an option of a test.
inline std::istream& operator>>(std::istream& in, Type& type) {
  std::string name;
  in >> name;
  for (const Type& t : {HALF, FLOAT, UNSIGNED_INT, INT, BOOL, CHAR}) {
    if (t.toString() == name) type = t;
  }
  return in;
}

}  // namespace poplar
