// Sizes whose products, sums or 32-bit copies overflow. One line of output for each case: the
// error, or how the process ended. Each case runs in a process of its own, as a crash would end
// all.
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <iostream>
#include <limits>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/MeshGrid.hpp>
#include <popops/CircBuf.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/Loop.hpp>
#include <popops/Pad.hpp>
#include <popops/TopK.hpp>
#include <popops/codelets.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/VarStructure.hpp>
#include <sstream>

#include "report.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

const std::size_t k31 = std::size_t(1) << 31, k32 = std::size_t(1) << 32, k62 = k31 * k31;
const std::size_t kMax = std::numeric_limits<std::size_t>::max();

Device model(unsigned tiles = 4) {
  IPUModel m;
  m.tilesPerIPU = tiles;
  return m.createDevice();
}

const char* const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Fields : public Vertex {
 public:
  Input<Vector<int>> in;
  Vector<Input<Vector<int>>> rows;
  Vector<int> state;
  void compute() {}
};
)";

struct Fixture {
  Fixture() : device(model()), graph(device) {}

  Tensor variable(const std::vector<std::size_t>& shape, Type type = INT) {
    const Tensor t = graph.addVariable(type, shape, "x");
    graph.setTileMapping(t, 0);
    return t;
  }

  VertexRef vertex() {
    std::stringstream codelets(kCodelets);
    graph.addCodelets(codelets);
    cs = graph.addComputeSet("cs");
    const VertexRef v = graph.addVertex(cs, "Fields");
    graph.setTileMapping(v, 0);
    return v;
  }

  void compile(const Program& p) { Engine(graph, p).load(device); }

  Device device;
  Graph graph;
  ComputeSet cs;
};

void shapes() {
  Fixture f;
  report("variable", [&] {
    const Tensor t = f.graph.addVariable(INT, {k32, k32}, "v");
    f.graph.setTileMapping(t[5].slice(7, 9), 0);
  });
  report("variable of 2^32", [&] { f.variable({k32}); });
  report("empty variable", [&] { f.variable({k32, 0, k32}); });
  report("linear variable",
         [&] { f.graph.addVariable(INT, {k32, k32}, VariableMappingMethod::LINEAR); });
  report("constant", [&] { f.graph.addConstant(INT, {k32, k32}, 1); });
  report("constant of values", [&] {
    const int values[] = {1};
    f.graph.addConstant(INT, {k32, k32}, values);
  });
  const Tensor x = f.variable({5}), none = f.variable({0});
  report("reshape", [&] { none.reshape({k32, k32}).dim(0); });
  report("reshape in part", [&] { f.variable({0, 2}).reshapePartial(0, 1, {k62, 4}); });
  const Tensor many = x.slice(0, 1).broadcast(1u << 31, 0);
  report("broadcast", [&] { many.broadcast(2, 0); });
  report("broadcast of broadcasts", [&] {
    many.expand({0}).broadcast(1u << 31, 0).expand({0}).broadcast(1u << 31, 0).flatten();
  });
  report("upsample", [&] { many.upsample(2, 0, UpsampleMethod::REPEAT); });
  report("concat", [&] { concat(many, many); });
  report("sub-samples", [&] {
    Tensor t = x;
    for (int i = 0; i < 4; ++i) t = t.subSample(1u << 31, 0);
    std::cout << t.shapeToString() << ' ';
  });
}

void vertices() {
  report("field size", [] {
    Fixture f;
    f.graph.setFieldSize(f.vertex()["rows"], k32 + 1);
  });
  report("field index", [] {
    Fixture f;
    f.graph.connect(f.vertex()["rows"][k32], f.variable({2}));
  });
  report("state index", [] {
    Fixture f;
    const VertexRef v = f.vertex();
    const Tensor x = f.variable({2});
    f.graph.connect(v["in"], x);
    f.graph.connect(v["rows"], x.expand({0}));
    f.graph.setFieldSize(v["state"], 4);
    f.graph.setInitialValue(v["state"][k32 - 3], std::vector<int>{1, 2, 3, 4});
    f.compile(Execute(f.cs));
  });
}

void host() {
  Fixture f;
  report("stream in", [&] { f.graph.addHostToDeviceFIFO("in", INT, k62); });
  report("stream out", [&] { f.graph.addDeviceToHostFIFO("out", INT, k62); });
  report("row", [&] { f.graph.addRemoteBuffer("remote", INT, k62, 1); });
  report("rows", [&] {
    f.graph.addRemoteBuffer("remote", INT, k31, k32);
    Engine engine(f.graph, Sequence());
    engine.load(f.device);
    const std::vector<char> row(16);
    engine.copyToRemoteBuffer(row.data(), "remote", k31);
  });
  report("bytes of rows", [&] {
    f.graph.addRemoteBuffer("remote", INT, 1, k62 - 1);
    Engine engine(f.graph, Sequence());
  });
  report("host function", [&] { f.graph.addHostFunction("f", {{INT, k62}}, {}); });
}

void devices() {
  report("tiles", [] {
    IPUModel m;
    m.numIPUs = m.tilesPerIPU = 1u << 16;
    Graph graph(m.createDevice());
    graph.addVariable(INT, {4}, VariableMappingMethod::LINEAR);
  });
  report("tiles of a target", [] { Target::createIPUTarget(1u << 31, 1u << 31, "ipu2"); });
  report("virtual tiles", [] { model().getTarget().createVirtualTarget(1u << 16, 1u << 16); });
  report("no CPU", [] {
    Graph graph(Device::createCPUDevice(0));
    graph.addVariable(INT, {4}, VariableMappingMethod::LINEAR);
  });
}

void libraries() {
  Fixture f;
  const Tensor x = f.variable({2, 2}, FLOAT);
  report("linear mapping", [&] { poputil::calcLinearTileMapping(f.graph, {k32, k32}, 1, 1); });
  report("partitionable",
         [&] { poputil::createPartitionableTensor(f.graph, INT, {k32, k32}, {1, 1}); });
  report("imbalance", [&] { poputil::getTileImbalance(f.graph, x, 1, 0); });
  report("tile index", [] { std::cout << poputil::invTransformTileIndex(3, 7, ~0u, true) << ' '; });
  report("factors", [&] { poputil::factorDims(x, {2, 2}, ~0u); });
  report("dimensions", [&] { poputil::unfactorDims(x, 1u << 31, 0); });
  report("split",
         [] { std::cout << poputil::splitRegions({Interval(0, 8)}, 4, 2, ~0u).size() << ' '; });
  report("partitions", [&] {
    poputil::iterateTensorPartitions(
        x, {k32, k32},
        [](const std::vector<std::size_t>&, const Tensor&) { std::cout << "part "; });
  });
  report("sliceable",
         [&] { popops::createSliceableTensor(f.graph, INT, {k32, k32, 4}, {0, 1}, {1, 1}, 0); });
  report("sliceable from slice",
         [&] { popops::createSliceableTensorFromSlice(f.graph, x, {0, 1}, {k62, k62 * 2}); });
  report("slices", [&] { popops::createSliceTensor(f.graph, x, {0}, {1}, k62); });
  report("topK", [&] {
    popops::createTopKInput(f.graph, INT, {k32, k32, 1},
                            popops::TopKParams(1, true, popops::SortOrder::NONE));
  });
  report("circular buffer", [&] { popops::CircBuf(f.graph, INT, 1u << 31, {k32, k32}); });
  report("counted loop",
         [&] { popops::countedLoop(f.graph, k32, [](const Tensor&) { return Sequence(); }); });
  report("steps", [&] {
    popops::addCodelets(f.graph);
    Engine engine(f.graph, popops::countedLoop(f.graph, 0, 8, kMax, [](const Tensor& i) {
                    return PrintTensor("step", i);
                  }));
    engine.setPrintStream(std::cout);
    engine.load(f.device);
    engine.run();
  });
  const std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::min();
  report("padding", [&] { popops::pad(f.graph, x, {1, 1}, {1, std::ptrdiff_t(k62)}); });
  report("padding below", [&] { popops::pad(f.graph, x, {least, 0}, {0, 0}); });
  report("edges",
         [&] { popops::pad(x, {0, 0}, {0, std::ptrdiff_t(k32)}, popops::padding::Type::EDGE); });
  report("element around",
         [&] { popops::pad(f.graph, x, {0, 0}, {0, std::ptrdiff_t(k32)}, f.variable({}, FLOAT)); });
  report("broadcast to match", [&] {
    Tensor t = x[0].slice(0, 1);
    poputil::broadcastToMatch(t, {k32});
  });
  report("linspace", [&] { poplin::linspace(f.graph, FLOAT, 0, 1, k62); });
  report("matrix",
         [&] { poplin::createMatMulInputLHS(f.graph, FLOAT, {k32, k32}, {k32, 4}, "a"); });
  report("right matrix",
         [&] { poplin::createMatMulInputRHS(f.graph, FLOAT, {4, k62}, {k62, k62}, "b"); });
}

}  // namespace

int main() {
  shapes();
  vertices();
  host();
  devices();
  libraries();
}
