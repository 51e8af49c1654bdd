// Executables that are written and read again: the graph of this program has a part of every kind.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <set>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const char* const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Scale : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<Vector<int>> out;
  Vector<int> factors;
  int calls;
  void compute() {
    ++calls;
    for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i] * factors[i] + calls;
  }
};
)";

Executable build(const Device& device) {
  Graph graph(device);
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);
  const Tensor x = graph.addVariable(INT, {2, 3}, VariableMappingMethod::LINEAR, "x");
  const Tensor y = graph.addVariable(INT, {6}, "y"), row = graph.addVariable(INT, {}, "row");
  graph.setTileMapping(y.slice(0, 2), 1);
  graph.setTileMapping(y.slice(2, 6), 3);
  graph.setTileMapping(row, 0);
  graph.setInitialValue(row, 1);
  const Tensor one = graph.addConstant(INT, {6}, std::vector<int>{1, 2, 3, 4, 5, 6}, "one");
  graph.setTileMapping(one, 2);
  const ComputeSet cs = graph.addComputeSet("scale");
  const VertexRef v = graph.addVertex(cs, "Scale", {{"in", x.transpose().flatten()}, {"out", y}});
  graph.setInitialValue(v["factors"], std::vector<int>{1, 1, 1, 2, 2, 2});
  graph.setTileMapping(v, 2);
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 6);
  const DataStream out = graph.addDeviceToHostFIFO("out", INT, 6);
  const RemoteBuffer remote = graph.addRemoteBuffer("remote", INT, 6, 2);
  const HostFunction seen = graph.addHostFunction("seen", {{INT, 6}}, {});
  const Function step = graph.addFunction(Sequence{Execute(cs), Copy(y, x.flatten())});
  graph.createHostRead("x", x);
  const Sequence body{Copy(in, x.flatten()), Repeat(2, Call(step)), Copy(y, remote, row),
                      Call(seen, {y}, {}),   Copy(y, out),          PrintTensor("one", one)};
  if (device.getTarget().getTargetType() == TargetType::IPU) {
    std::ofstream json("graph.json"), compute("compute.dot"), vertices("vertices.dot");
    graph.serialize(json, SerializationFormat::JSON);
    graph.outputComputeGraph(compute, {body});
    graph.outputVertexGraph(vertices, {body});
  }
  return compileGraph(graph, {Sequence(), body});
}

void run(Executable executable, const Device& device) {
  Engine engine(std::move(executable));
  engine.setPrintStream(std::cout);
  engine.load(device);
  std::vector<int> in{1, 2, 3, 4, 5, 6}, out(6), x(6), remote(6);
  engine.connectStream("in", in.data(), in.data() + in.size());
  engine.connectStream("out", out.data(), out.data() + out.size());
  engine.connectHostFunction("seen", 0, [](ArrayRef<const void*> values, ArrayRef<void*>) {
    std::cout << "seen " << *static_cast<const int*>(values[0]) << '\n';
  });
  engine.run(1);
  engine.readTensor("x", x.data(), x.data() + x.size());
  engine.copyFromRemoteBuffer("remote", remote.data(), 1);
  for (const std::vector<int>& values : {out, x, remote}) {
    for (int value : values) std::cout << value << ' ';
    std::cout << '\n';
  }
}

template <class F>
void expectError(F f) {
  try {
    f();
    std::cout << "no error\n";
  } catch (const poplar_error& e) {
    std::cout << e.what() << '\n';
  }
}

// Prints how many of the damaged ones were taken, and each error once.
void damage(const std::string& all) {
  std::set<std::string> errors;
  int taken = 0;
  const auto read = [&](const std::string& bytes) {
    try {
      std::stringstream stream(bytes);
      Executable::deserialize(stream);
      ++taken;
    } catch (const poplar_error& e) {
      std::string text = e.what();
      for (char& c : text) c = c >= '0' && c <= '9' ? '#' : c;
      text.erase(std::unique(text.begin(), text.end(),
                             [](char a, char b) { return a == '#' && b == '#'; }),
                 text.end());
      errors.insert(text);
    }
  };
  // All bits of the first lines, then some of each part.
  for (std::size_t bit = 0; bit < 8 * all.size(); bit += bit < 800 ? 1 : 97) {
    std::string flipped = all;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    read(flipped);
  }
  for (std::size_t size = 0; size < all.size(); size += 1 + size / 16) read(all.substr(0, size));
  std::cout << "taken: " << taken << '\n';
  for (const std::string& text : errors) std::cout << text << '\n';
}

// Writes to a stream that fails after some bytes, as a full disk does.
void fillDisk(const Executable& executable) {
  struct Full : std::streambuf {
    int left = 100;
    int overflow(int c) override { return left-- > 0 ? c : traits_type::eof(); }
  } full;
  std::ostream out(&full);
  expectError([&] { executable.serialize(out); });
}

}  // namespace

int main() {
  setenv("POPSNN_EMULATE_IPU", "1", 1);
  const Device device = DeviceManager::createDeviceManager()
                            .getDevices(TargetType::IPU, 1)
                            .at(0)
                            .createVirtualDevice(4);
  device.attach();
  const Executable executable = build(device);
  std::stringstream bytes;
  executable.serialize(bytes);
  run(build(device), device);
  run(Executable::deserialize(bytes), device);
  const std::string all = bytes.str();
  std::stringstream again(all), cut(all.substr(0, all.size() / 2)), other("something else");
  std::stringstream twice;
  Executable::deserialize(again).serialize(twice);
  std::cout << "same bytes: " << (twice.str() == all) << '\n';
  expectError([&] { Executable::deserialize(cut); });
  expectError([&] { Executable::deserialize(other); });
  damage(all);
  fillDisk(executable);
  IPUModel model;
  model.tilesPerIPU = 4;
  expectError([&] { build(model.createDevice()).serialize(twice); });
}
