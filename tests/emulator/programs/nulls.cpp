// Null pointers, empty callbacks and what was moved from, in the place of what an Engine takes.
#include <functional>
#include <iostream>
#include <memory>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/emulator/Profile.hpp>
#include <sstream>
#include <vector>

#include "report.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

Device model() {
  IPUModel m;
  m.tilesPerIPU = 2;
  return m.createDevice();
}

Program copies(Graph& graph) {
  const Tensor x = graph.addVariable(INT, {8}, "x");
  graph.setTileMapping(x, 0);
  graph.createHostRead("r", x);
  graph.createHostWrite("w", x);
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 8);
  graph.addRemoteBuffer("rows", INT, 8, 2);
  const HostFunction f = graph.addHostFunction("f", {{INT, 8}}, {});
  return Sequence(Copy(in, x), Call(f, {x}, {}));
}

struct Loaded {
  Loaded() : device(model()), graph(device), engine(graph, copies(graph)) { engine.load(device); }
  Device device;
  Graph graph;
  Engine engine;
};

void callbacks() {
  report("empty callback", [] {
    Loaded l;
    l.engine.connectStreamToCallback("in", std::unique_ptr<StreamCallback>());
    l.engine.run();
  });
  report("empty function", [] {
    Loaded l;
    l.engine.connectStreamToCallback("in", std::function<void(void*)>());
    l.engine.run();
  });
  report("null function", [] {
    Loaded l;
    void (*const none)(void*) = nullptr;
    l.engine.connectStreamToCallback("in", 0, none);
    l.engine.run();
  });
  report("moved handle", [] {
    Loaded l;
    StreamCallbackHandle handle([](void*) {});
    const StreamCallbackHandle other(std::move(handle));
    l.engine.connectStreamToCallback("in", handle);
  });
  report("empty host callback", [] {
    Loaded l;
    l.engine.connectHostFunction("f", 0, std::unique_ptr<HostCallback>());
  });
  report("empty host function", [] {
    Loaded l;
    l.engine.connectHostFunction("f", 0,
                                 std::function<void(ArrayRef<const void*>, ArrayRef<void*>)>());
  });
  report("estimator", [] { Graph(model()).registerPerfEstimator("V", PerfEstimateFunc()); });
}

void buffers() {
  std::vector<int> values(8);
  report("stream", [&] { Loaded().engine.connectStream("in", nullptr); });
  report("stream of range",
         [&] { Loaded().engine.connectStream("in", nullptr, reinterpret_cast<char*>(32)); });
  report("stream ends before",
         [&] { Loaded().engine.connectStream("in", values.data() + 8, values.data()); });
  report("a failed connection", [&] {
    Loaded l;
    l.engine.connectStream("in", values.data());
    try {
      l.engine.connectStream("in", nullptr);
    } catch (const poplar_error&) {
    }
    l.engine.run();
  });
  report("write", [&] { Loaded().engine.writeTensor("w", nullptr); });
  report("write of range",
         [&] { Loaded().engine.writeTensor("w", values.data() + 8, values.data()); });
  report("read", [&] { Loaded().engine.readTensor("r", nullptr); });
  report("read of range",
         [&] { Loaded().engine.readTensor("r", nullptr, reinterpret_cast<char*>(32)); });
  report("to rows", [&] { Loaded().engine.copyToRemoteBuffer(nullptr, "rows", 1); });
  report("from rows", [&] { Loaded().engine.copyFromRemoteBuffer("rows", nullptr, 1); });
}

void names() {
  const char* const none = nullptr;
  std::vector<int> values(8);
  report("handle", [&] { Loaded().engine.readTensor(none, values.data()); });
  report("version", [&] { IPUModel m(none); });
  report("message", [&] {
    Graph graph(model());
    Engine engine(graph, Abort(none));
    engine.load(model());
    engine.run();
  });
}

void others() {
  report("engine", [] {
    Loaded l;
    const Engine other(std::move(l.engine));
    l.engine.run();
  });
  report("its profile", [] {
    Loaded l;
    const Engine other(std::move(l.engine));
    emulator::getProfile(l.engine);
  });
  report("graph", [] {
    Graph graph(model());
    const Graph other(std::move(graph));
    Engine engine(graph, Sequence());
  });
  report("program", [] {
    Loaded l;
    Sequence program{Sync(SyncType::INTERNAL)};
    const Sequence other(std::move(program));
    Engine(l.graph, Sequence(program)).load(l.device);
  });
  report("device", [] {
    Loaded l;
    const Device other(std::move(l.device));
    l.engine.load(l.device);
  });
  report("vertex", [] {
    Graph graph(model());
    graph.connect(VertexRef()["x"], graph.addVariable(INT, {}));
  });
  report("field", [] {
    Graph graph(model());
    graph.connect(FieldRef(), graph.addVariable(INT, {}));
  });
  report("executable", [] { Executable::deserialize(std::unique_ptr<std::istream>()); });
}

// What another graph has by the same name.
void otherGraphs() {
  Graph other(model());
  const DataStream in = other.addHostToDeviceFIFO("in", INT, 64);
  const RemoteBuffer rows = other.addRemoteBuffer("rows", INT, 64, 2);
  report("stream of another graph", [&] {
    Loaded l;
    const Tensor x = l.graph.addVariable(INT, {64}, VariableMappingMethod::LINEAR);
    Engine engine(l.graph, Copy(in, x));
    engine.load(l.device);
    engine.connectStreamToCallback("in", [](void*) {});
    engine.run();
  });
  report("rows of another graph", [&] {
    Loaded l;
    const Tensor x = l.graph.addVariable(INT, {128}, VariableMappingMethod::LINEAR);
    Engine engine(l.graph, Copy(rows, x));
    engine.load(l.device);
    engine.run();
  });
}

}  // namespace

int main() {
  callbacks();
  buffers();
  names();
  others();
  otherGraphs();
}
