// Members of the API that the other test programs have no use for; one line of output for each.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/EngineOptions.hpp>
#include <poplar/FunctionBufferMappingType.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/IeeeHalf.hpp>
#include <poplar/MetadataCreation.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <pva/pva.hpp>
#include <sstream>
#include <type_traits>
#include <utility>

using namespace poplar;
using namespace poplar::program;

namespace {

void expectError(const std::string& name, const std::function<void()>& fn) {
  std::cout << name << ": ";
  try {
    fn();
    std::cout << "no error\n";
  } catch (const poplar_error& e) {
    std::cout << e.type << ": " << e.what() << '\n';
  }
}

template <class T>
void show(const std::string& name, const std::vector<T>& values) {
  std::cout << name << ':';
  for (const auto& v : values) std::cout << ' ' << v;
  std::cout << '\n';
}

Device model(unsigned tiles) {
  IPUModel m;
  m.tilesPerIPU = tiles;
  return m.createDevice();
}

// A graph with an int that programs can copy constants to.
struct Cell {
  explicit Cell(const Device& d) : device(d), graph(d), x(graph.addVariable(INT, {}, "x")) {
    graph.setTileMapping(x, 0);
    graph.setInitialValue(x, 0);
    graph.createHostRead("x", x);
  }
  Program set(int value) {
    const Tensor c = graph.addConstant(INT, {}, value);
    graph.setTileMapping(c, 0);
    return Copy(c, x);
  }
  int run(const Program& p) {
    Engine engine(graph, p);
    engine.load(device);
    engine.run();
    int out = 0;
    engine.readTensor("x", &out);
    return out;
  }

  const Device& device;  // outlives it
  Graph graph;
  Tensor x;
};

void sequences() {
  const Device device = model(2);
  Cell c(device);
  const Program one = c.set(1), two = c.set(2), three = c.set(3);
  const Sequence nested({two});
  const std::vector<Program> list{one, nested, three};
  show<int>("sequences",
            {c.run(Sequence(one, two)), c.run(Sequence(one, two, three)),
             c.run(Sequence(three, nested)), c.run(Sequence(list)), c.run(Sequence(list, "name")),
             c.run(Sequence{one, nested}), c.run(Sequence({nested, one}, {"name"})),
             c.run(Sequence({nested})), c.run(Sequence({}, {"name"}))});
}

void replicas() {
  const Device device = model(2);
  Cell c(device);
  const Tensor other = c.graph.addVariable(INT, {});
  c.graph.setTileMapping(other, 1);
  const Program three = c.set(3);
  const Tensor index = c.graph.addReplicationIndexConstant("index");
  c.graph.setTileMapping(index, 1);
  show<int>(
      "replicas",
      {c.run(Sequence(three, Copy(c.x, other), c.set(4), CrossReplicaCopy(other, c.x, {{0, 0}}))),
       c.run(Sequence(three, Copy(index.reinterpret(INT), c.x)))});
  expectError("other replica", [&] { CrossReplicaCopy(other, c.x, {{0, 1}}); });
}

void switches() {
  const Device device = model(2);
  Cell c(device);
  const Tensor control = c.graph.addVariable(INT, {});
  c.graph.setTileMapping(control, 0);
  c.graph.setInitialValue(control, 7);
  Switch known = Switch::switchWithUnreachableDefault(control);
  known.add(7, c.set(70));
  show<int>("switch", {c.run(known)});
  Switch unknown = Switch::switchWithUnreachableDefault(control);
  unknown.add(8, c.set(80));
  expectError("unreachable", [&] { c.run(unknown); });
}

void functionBuffers() {
  const Device device = model(2);
  Cell c(device);
  const Function f = c.graph.addFunction(c.set(5)), g = c.graph.addFunction(c.set(6));
  const FunctionBuffer buffer = c.graph.addFunctionBuffer(f, FunctionBufferMappingType::REMOTE);
  show<int>("function buffer", {c.run(Sequence(Copy(buffer, f), Call(f)))});
  expectError("other function", [&] { Copy(buffer, g); });
}

void registers() {
  const Device d = model(2);
  Graph graph(d);
  Sequence prog;
  const Tensor before = getHwSeeds(graph, prog, "before");
  const Tensor seeds = graph.addVariable(UNSIGNED_INT, {2, 6, 4});
  graph.setTileMapping(seeds, 0);
  std::vector<unsigned> values(48);
  for (unsigned i = 0; i < 48; ++i) values[i] = i;
  graph.setInitialValue(seeds, values);
  setHwSeeds(graph, seeds, prog);
  const Tensor after = getHwSeeds(graph, prog);
  Graph second = graph.createVirtualGraph(1, 2);
  const Tensor part = getHwSeeds(second, prog);
  setFloatingPointBehaviour(graph, prog, FloatingPointBehaviour(true, true, true, false, true));
  setStochasticRounding(graph, prog, false, "name");
  const Tensor csr = getAndModifyFloatingPointBehaviour(
      graph, prog, FloatingPointBehaviour(false, false, false, false, true),
      FloatingPointBehaviour(false, false, false, false, false));
  setFloatingPointBehaviour(graph, prog, csr);
  graph.createHostRead("before", before);
  graph.createHostRead("after", after);
  graph.createHostRead("part", part);
  graph.createHostRead("csr", csr);
  Engine engine(graph, prog);
  engine.load(d);
  engine.run();
  std::vector<unsigned> seen(48), row(24), two(2, 9);
  engine.readTensor("before", seen.data());
  std::cout << "seeds: " << seen[47];
  engine.readTensor("after", seen.data());
  engine.readTensor("part", row.data());
  engine.readTensor("csr", two.data());
  std::cout << ' ' << (seen == values) << ' ' << row[0] << ' ' << row[23] << ' ' << two[0] << two[1]
            << ' ' << part.shapeToString() << '\n';
  expectError("seed shape", [&] { setHwSeeds(graph, seeds.flatten(), prog); });
  std::cout << "slices: ";
  for (const Tensor& t : seeds.slices({1, 0, 1})) std::cout << (t == seeds[1].expand({0}));
  std::cout << "\ntop: " << second.getTarget().getNumTiles()
            << second.getTopLevelGraph().getTarget().getNumTiles() << '\n';
}

void quarters() {
  Graph graph(model(2));
  const Tensor c = createConstantMetadataTensor(graph, QuarterMetadata::Format::F152, 3);
  const Tensor v = createVariableMetadataTensor(graph, QuarterMetadata::Format::F143, -1);
  std::cout << "metadata: " << c.elementType() << ' ' << c.containsConstant()
            << v.containsConstant() << c.hasMetadata() << c.getMetadata().valid() << '\n';
  Tensor x = graph.addVariable(FLOAT, {2});
  expectError("associate", [&] { x.associateMetadata(c); });
  const IeeeHalf h(0.1f);
  std::cout << "half: " << h.bit16() << ' ' << float(IeeeHalf::fromBits(0x3c01)) << '\n';
}

void reports() {
  const Device device = model(2);
  Cell c(device);
  const Tensor t = c.graph.addVariable(INT, {});
  c.graph.setTileMapping(t, 1);
  Engine engine(c.graph, Sequence(c.set(1), Copy(c.x, t), Copy(t, c.x)));
  const pva::Report report = engine.getReport(false);
  const auto& compilation = report.compilation();
  std::cout << "report: " << compilation.target().numTiles() << ' '
            << compilation.graph().numVertices() << ' ' << compilation.graph().numComputeSets();
  for (const auto& tile : compilation.tiles()) {
    std::cout << " (" << tile.memory().alwaysLiveBytes() << ' '
              << tile.memory().notAlwaysLiveBytes() << ' ' << tile.memory().total().excludingGaps()
              << ')';
  }
  const auto start = engine.getTimeStamp();
  const std::string time = Engine::reportTiming(start, start + std::chrono::milliseconds(1500));
  std::cout << ' ' << time << '\n';
  std::ostringstream text;
  engine.setPrintTensorStream(text);
  engine.load(c.device);
  engine.run();
  const ProfileValue graph = engine.getGraphProfile(), execution = engine.getExecutionProfile();
  serializeToJSON(std::cout, graph.asMap().at("memory").asMap().at("notAlwaysLive"));
  const ProfileValue first = execution.asMap().at("steps").asVector()[0];
  const ProfileValue::Map steps{{"n", first.asMap().at("runs")},
                                {"none", ProfileValue()},
                                {"quoted \"", ProfileValue::Vector{true, "a\nb", 0.5}}};
  serializeToJSON(std::cout, steps, true);
  std::cout << '\n';
}

void options() {
  const Device device = model(2);
  Cell c(device);
  const Program nothing = Sequence();
  const auto with = [&](const char* name, const char* value) {
    Engine(c.graph, nothing, {{name, value}});
  };
  for (const char* time : {"60", "60s", "500ms"}) with("target.hostSyncTimeout", time);
  with("autoReport.streamAtEachRun", "false");
  with("opt.whatTheCompilerDoes", "slowly");
  with("memory.any", "thing");
  with("profiler.programs.filter", "main");
  with("exchange.multicastPolicy", "balanced");
  expectError("time", [&] { with("target.hostSyncTimeout", "soon"); });
  expectError("unit", [&] { with("target.hostSyncTimeout", "60 s"); });
  expectError("kind", [&] { with("opt.enableInlining", "yes"); });
  expectError("prefix", [&] { with("opt.", "yes"); });
  expectError("name", [&] { with("optimise", "yes"); });
  OptionFlags flags{{"debug.trace", "true"}, {"autoReport.directory", "a \"b\""}}, read;
  std::stringstream json;
  json << flags;
  std::cout << "json: " << json.str();
  readJSON(json, read);
  std::cout << ' ' << (read == flags) << '\n';
  setenv("POPLAR_RUNTIME_OPTIONS", R"({"debug.traces": "true"})", 1);
  expectError("runtime", [&] { with("debug.trace", "true"); });
  unsetenv("POPLAR_RUNTIME_OPTIONS");
}

void remoteRows(const Device& d) {
  Graph graph(d);
  const RemoteBuffer rows = graph.addRemoteBuffer("rows", INT, 2, 3);
  const Tensor t = graph.addVariable(INT, {6}, VariableMappingMethod::LINEAR);
  Engine engine(graph, Copy(rows, t));
  engine.load(d);
  const std::vector<int> in{1, 2}, three{1, 2, 3};
  std::vector<int> out(2);
  engine.copyToRemoteBuffer(ArrayRef<int>(in), "rows", 2);
  engine.copyFromRemoteBuffer("rows", ArrayRef<int>(out), 2);
  show("rows", out);
  expectError("row size", [&] { engine.copyToRemoteBuffer(ArrayRef<int>(three), "rows", 0); });
}

// What load() begins anew, and what one device holds.
void loads(const Device& ipu) {
  const Device two = model(2);
  for (const Device* each : {&two, &ipu}) {
    const Device& d = *each;
    Cell c(d);
    const DataStream in = c.graph.addHostToDeviceFIFO("in", INT, 1);
    const Sequence prog(Copy(in, c.x));
    Executable executable = compileGraph(c.graph, {prog, c.set(9)});
    Engine first(executable);
    std::vector<int> values{1, 2, 3};
    first.connectStream("in", values.data(), values.data() + 3);
    int x[4];
    first.load(d);
    first.run();
    first.run();
    first.readTensor("x", &x[0]);
    first.load(d);
    first.readTensor("x", &x[1]);
    first.run();
    first.readTensor("x", &x[2]);
    show<int>("loads", {x[0], x[1], x[2]});
    expectError("second engine", [&] {
      Engine second(executable);
      second.load(d);
      second.run(1);
      second.readTensor("x", &x[3]);
      std::cout << x[3] << ' ';
    });
    expectError("first engine", [&] { first.run(); });
    expectError("its tensors", [&] { first.readTensor("x", &x[0]); });
    first.load(d);
    expectError("again", [&] { first.run(); });
  }
}

// The types as variables, and overloads of constructors of targets and tensors.
void overloads() {
  Type& type = FLOAT;
  const std::reference_wrapper<Type> types[] = {std::ref(HALF), std::ref(BOOL)};
  std::cout << "types: " << type << ' ' << types[0].get() << ' ' << types[1].get() << '\n';
  const OptionFlags options{{"gatewayMode", "false"}};
  std::cout << "targets: " << Target::createIPUTarget(2, "ipu2", options).getNumTiles() << ' '
            << Target::createIPUTarget(2, 3, "ipu2", options).getNumTiles() << '\n';
  expectError("target option", [] { Target::createIPUTarget(1, "ipu2", {{"gateway", "true"}}); });
  Graph graph(model(4));
  const Tensor t = graph.addVariable(FLOAT, {2, 3});
  graph.setTileMapping(t, 3);
  const Tensor clones = graph.cloneN(HALF, t, 5, "clones");
  const Tensor ordered =
      graph.cloneN(t, 2, {}, TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES,
                   TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION);
  std::cout << "clones: " << clones.elementType() << ' ' << clones.shapeToString() << ' '
            << graph.getTileMapping(clones)[3][0].size() << ' ' << ordered.elementType() << ' '
            << ordered.shapeToString() << '\n';
}

// Of an executable that makes two engines, and of what serialize() wrote.
void counts(const Device& ipu) {
  Cell c(ipu);
  Sequence prog(c.set(1));
  c.graph.createHostRead("cycles", cycleCount(c.graph, prog, 0, SyncType::INTERNAL));
  const Executable executable = compileGraph(c.graph, {prog});
  std::stringstream file;
  executable.serialize(file);
  std::cout << "cycles:";
  Executable made = compileGraph(c.graph, {prog}), read = Executable::deserialize(file);
  Engine engines[] = {Engine(made), Engine(std::move(read)), Engine(c.graph, prog)};
  for (Engine& engine : engines) {
    std::uint64_t cycles = 0;
    engine.load(ipu);
    engine.run();
    engine.readTensor("cycles", &cycles);
    std::cout << ' ' << cycles;
  }
  std::cout << '\n';
}

void memory() {
  std::cout << "memory:";
  for (const char* version : {"ipu1", "ipu2", "ipu21"}) {
    IPUModel model(version);
    const Target target = model.createDevice().getTarget();
    const std::vector<unsigned>& elements = target.getMemoryElementOffsets();
    const unsigned interleaved = elements[target.getInterleavedMemoryElementIndex()];
    std::cout << ' ' << elements.size() << '/' << target.getBytesPerTile() - interleaved;
  }
  std::cout << '\n';
}

// A device has one holder, and IPUs are attached to one device at a time.
void devices() {
  static_assert(!std::is_copy_constructible<Device>::value, "");
  static_assert(!std::is_copy_assignable<Device>::value, "");
  const DeviceManager manager = DeviceManager::createDeviceManager();
  const auto ipus = [&](unsigned n) {
    return std::move(manager.getDevices(TargetType::IPU, n).front());
  };
  {
    Device first = ipus(2);
    const Device second = ipus(2), other = ipus(4);
    show("attached",
         std::vector<bool>{first.attach(), first.attach(), second.attach(), other.attach()});
    const Device moved = std::move(first), part = moved.createVirtualDevice(8);
    show("moved", std::vector<bool>{moved.isAttached(), part.isAttached(), second.isAttached()});
    moved.detach();
    show("detached", std::vector<bool>{part.isAttached(), second.attach(), moved.attach()});
    expectError("first", [&] { first.attach(); });
  }
  show("given back", std::vector<bool>{ipus(2).attach()});
}

}  // namespace

int main() {
  sequences();
  replicas();
  switches();
  functionBuffers();
  registers();
  quarters();
  reports();
  options();
  memory();
  overloads();
  setenv("POPSNN_EMULATE_IPU", "1", 1);
  devices();
  const Device ipu = DeviceManager::createDeviceManager().getDevice(0);
  ipu.attach();
  remoteRows(ipu);
  loads(ipu);
  counts(ipu);
}
