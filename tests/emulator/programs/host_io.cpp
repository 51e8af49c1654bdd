// Remote buffers, host functions, prefetching streams and PrintTensor, as a user of the SDK writes
// them. Each check prints one line.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

Device device() {
  IPUModel model;
  model.tilesPerIPU = 4;
  return model.createDevice();
}

Tensor variable(Graph& graph, const std::vector<std::size_t>& shape, Type type = INT) {
  const Tensor t = graph.addVariable(type, shape, VariableMappingMethod::LINEAR);
  return t;
}

template <class T>
std::string join(const std::vector<T>& values) {
  std::ostringstream out;
  for (const T& v : values) out << v << ' ';
  return out.str();
}

template <class F>
void expectError(const char* name, F run) {
  try {
    run();
    std::cout << name << ": no error\n";
  } catch (const poplar_error& e) {
    std::cout << name << ": " << e.type << ": " << e.what() << '\n';
  }
}

// Streams named by their objects, in an Engine of an executable that was declared first.
void streamObjects() {
  const Device d = device();
  Graph graph(d);
  const Tensor t = variable(graph, {4});
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 4);
  const DataStream out = graph.addDeviceToHostFIFO("out", INT, 4);
  Executable executable;
  expectError("empty", [&] { Engine nothing(std::move(executable)); });
  executable = compileGraph(graph, {Sequence(Copy(in, t), Copy(t, out))});
  Engine engine(std::move(executable));
  std::vector<int> sent = {4, 5, 6, 7}, received(4);
  engine.connectStream(in, sent.data());
  engine.connectStream(out, received.data(), received.data() + received.size());
  engine.load(d);
  engine.run();
  std::cout << "stream objects: " << join(received) << '\n';
}

void remoteRows() {
  const Device d = device();
  Graph graph(d);
  RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 4, 3);
  const Tensor one = variable(graph, {4}), two = variable(graph, {2, 4}),
               all = variable(graph, {12});
  const Tensor row = variable(graph, {}), rows = variable(graph, {2}, UNSIGNED_INT);
  graph.setInitialValue(row, 1);
  graph.setInitialValue(rows, std::vector<unsigned>{2, 0});
  graph.createHostRead("all", all);
  graph.createHostWrite("row", row);
  Engine engine(graph, Sequence{Copy(buffer, one, row), Copy(one.reverse(0), buffer, row),
                                Copy(buffer, two, rows), Copy(two, buffer, rows.reverse(0)),
                                Copy(buffer, all)});
  engine.load(d);
  for (int i = 0; i < 3; ++i) {
    std::vector<int> values(4);
    std::iota(values.begin(), values.end(), 10 * i);
    engine.copyToRemoteBuffer(values.data(), buffer.handle(), static_cast<unsigned>(i));
  }
  engine.run();
  std::vector<int> out(12), last(4);
  engine.readTensor("all", out.data(), out.data() + out.size());
  engine.copyFromRemoteBuffer("rows", last.data(), 2);
  std::cout << "remote: " << join(out) << "| " << join(last) << '\n';
  const std::vector<int> outside = {3};
  engine.writeTensor("row", ArrayRef<int>(outside));
  expectError("remote row", [&] { engine.run(); });
  expectError("host row", [&] { engine.copyToRemoteBuffer(last.data(), "rows", 3); });
  expectError("remote name", [&] { engine.copyToRemoteBuffer(last.data(), "none", 0); });
  expectError("remote size", [&] { Copy(buffer, two, row); });
  expectError("remote type", [&] { Copy(buffer, variable(graph, {4}, FLOAT), row); });
}

void hostFunction() {
  const Device d = device();
  Graph graph(d);
  const Tensor a = variable(graph, {3}), b = variable(graph, {2}), sums = variable(graph, {2});
  graph.setInitialValue(a, std::vector<int>{1, 2, 3});
  graph.setInitialValue(b, 10);
  graph.createHostRead("sums", sums);
  const HostFunction f =
      graph.addHostFunction("sum", {{INT, 3}, {INT, 2}}, {Graph::HostFunctionArgument(INT, 2)});
  Engine engine(graph, Sequence{Call(f, {a, b.reverse(0)}, {sums})});
  engine.load(d);
  expectError("host function", [&] { engine.run(); });
  engine.connectHostFunction("sum", 0, [](ArrayRef<const void*> in, ArrayRef<void*> out) {
    const int* x = static_cast<const int*>(in[0]);
    const int* y = static_cast<const int*>(in[1]);
    int* sum = static_cast<int*>(out[0]);
    sum[0] = x[0] + x[1] + x[2];
    sum[1] = y[0] + y[1];
  });
  engine.run();
  std::vector<int> out(2);
  engine.readTensor("sums", out.data(), out.data() + out.size());
  std::cout << "host function: " << join(out) << '\n';
  expectError("host argument", [&] { Engine(graph, Sequence{Call(f, {b, a}, {sums})}); });
}

class Counter final : public StreamCallback {
 public:
  explicit Counter(std::string* log) : log_(log) {}
  Result prefetch(void* p) override {
    give(p, 'p');
    return Result::Success;
  }
  void fetch(void* p) override { give(p, 'f'); }
  void complete() override { *log_ += 'c'; }
  void invalidatePrefetched() override { *log_ += 'i'; }

 private:
  void give(void* p, char what) {
    *log_ += what;
    *static_cast<int*>(p) = next_++;
  }
  std::string* log_;
  int next_ = 0;
};

// With nothing but fetch to define.
struct Legacy : public LegacyStreamCallback {
  void fetch(void* p) override { *static_cast<int*>(p) = -1; }
};

void prefetch(const char* overlap) {
  const Device d = device();
  Graph graph(d);
  const Tensor t = variable(graph, {1});
  graph.createHostRead("t", t);
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 1);
  Engine engine(graph, Repeat(2, Copy(in, t)), {{"exchange.streamBufferOverlap", overlap}});
  engine.load(d);
  expectError("stream", [&] { engine.run(); });
  std::string log;
  engine.connectStreamToCallback("in", std::unique_ptr<Counter>(new Counter(&log)));
  int value = 0;
  for (int i = 0; i < 2; ++i) {
    engine.run();
    engine.readTensor("t", &value, &value + 1);
    std::cout << overlap << ": " << log << ' ' << value << '\n';
  }
  engine.connectStreamToCallback("in", 0, std::unique_ptr<Legacy>(new Legacy()));
  engine.run();
  engine.readTensor("t", &value, &value + 1);
  std::cout << overlap << ": " << log << ' ' << value << '\n';
}

void printing() {
  const Device d = device();
  Graph graph(d);
  const Tensor f = variable(graph, {2, 2}, FLOAT), large = variable(graph, {2000});
  const Tensor wide = variable(graph, {20}), tiny = variable(graph, {2}, HALF);
  graph.setInitialValue(f, std::vector<float>{1.5f, -22.25f, 0.f, 3.f});
  std::vector<int> count(2000);
  std::iota(count.begin(), count.end(), 0);
  graph.setInitialValue(large, count);
  graph.setInitialValue(wide, 123456);
  graph.setInitialValue(tiny, std::vector<float>{1.f, 0.00002f});
  const PrintTensorFmt digits(1000, 3, 75, 3, PrintTensorFmt::FloatFormat::Fixed, ',', '<', '>');
  Engine engine(graph,
                Sequence{PrintTensor("f", f), PrintTensor("f", f, digits), PrintTensor(large),
                         PrintTensor("wide", wide), PrintTensor("tiny", tiny)});
  engine.setPrintStream(std::cout);
  engine.load(d);
  engine.run();
}

void options() {
  const Device d = device();
  Graph graph(d);
  const Sequence nothing;
  expectError("option", [&] { Engine(graph, nothing, {{"debug.unheard", "true"}}); });
  expectError("value", [&] { Engine(graph, nothing, {{"debug.instrument", "maybe"}}); });
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": "perhaps"})", 1);
  expectError("environment", [&] { Engine(graph, nothing, {{"debug.instrument", "true"}}); });
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": true)", 1);
  expectError("JSON", [&] { Engine(graph, nothing); });
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": true, "prng.seed": 3})", 1);
  expectError("good", [&] { Engine(graph, nothing); });
  unsetenv("POPLAR_ENGINE_OPTIONS");
  expectError("replicas", [&] { Graph(d, replication_factor(2)); });
  std::cout << "remote buffers: " << d.supportsRemoteBuffers()
            << Device::createCPUDevice().supportsRemoteBuffers() << '\n';
}

void regions() {
  const Device d = device();
  Graph graph(d);
  const Tensor a = graph.addVariable(INT, {6}), b = graph.addVariable(INT, {2});
  // Elements of a: 4 5 | 0 1 2 | 1 2 3, and b between.
  const Tensor t = concat(concat(a.slice(4, 6), b), concat(a.slice(0, 3), a.slice(1, 4)));
  std::vector<std::size_t> aliases;
  const auto sorted = graph.getSortedContiguousRegions(t, {{0, t.numElements()}}, false, &aliases);
  std::cout << "aliases:";
  std::size_t i = 0;
  for (const auto& region : sorted) {
    for (const Interval& interval : region) {
      std::cout << ' ' << interval.begin() << '-' << interval.end() << '@' << aliases[i++];
    }
    std::cout << " ;";
  }
  Tensor x = a.reverse(0), y = concat(b, a.slice(0, 4));
  graph.reorderToSimplify(&x, {&y});
  std::cout << "\nsimple: " << x.getContiguousRegions().size() << (x == a)
            << (y == concat(a.slice(0, 4).reverse(0), b.reverse(0))) << '\n';
  std::cout << "unbroadcast: "
            << (graph.findUnbroadcastTensor(a.expand({0}).broadcast(3, 0)) == a.expand({0}))
            << '\n';
}

// Tensors of one graph, made alike in another one.
void serialized() {
  Graph graph(device()), other(device());
  const Tensor a = variable(graph, {8}, HALF), b = graph.addVariable(INT, {3});
  graph.setTileMapping(b, 2);
  const Tensor view = concat(a.slice(6, 8), a.slice(0, 4)).reshape({2, 3});
  std::stringstream text;
  graph.serializeTensors(text, {view, b, a.slice(0, 0)}, SerializationFormat::Binary);
  const std::vector<Tensor> read = other.deserializeTensors(text, SerializationFormat::Binary);
  std::cout << "read:";
  for (const Tensor& t : read) {
    std::cout << ' ' << t.shapeToString() << ' ' << t.elementType() << " on";
    const auto mapping = other.getTileMapping(t);
    for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& r : mapping[tile]) {
        std::cout << ' ' << tile << ':' << r.begin() << '-' << r.end();
      }
    }
  }
  std::cout << " regions " << read[0].getVarRegions().size() << '\n';
  std::istringstream junk("junk");
  expectError("junk", [&] { other.deserializeTensors(junk, SerializationFormat::Binary); });
  expectError("format", [&] { other.deserializeTensors(text, SerializationFormat::JSON); });
  std::cout << "as JSON: ";
  graph.serializeTensors(std::cout, {view}, SerializationFormat::JSON);
  std::cout << '\n';

  graph.createHostRead("b", b);
  Engine engine(graph, Sequence());
  QuarterMetadata metadata(QuarterMetadata::Format::F152, 3);
  int values[3];
  expectError("metadata", [&] { engine.readTensor("b", metadata, values, values + 3); });
  std::cout << "metadata equal " << (metadata == QuarterMetadata(metadata.getFormat(), 3))
            << (metadata == QuarterMetadata()) << '\n';
}

}  // namespace

int main() {
  streamObjects();
  remoteRows();
  hostFunction();
  prefetch("none");
  prefetch("any");
  printing();
  options();
  regions();
  serialized();
}
