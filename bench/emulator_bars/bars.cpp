// Large graphs and copies on the emulated IPU, as a C++ program on its host API: one JSON object.
//
//   g++ -O2 bars.cpp -I PREFIX/include -L PREFIX/lib -lpoplar; ./a.out
//   ../emulator/codelets.cpp
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kTiles = 1472, kWorkers = 6;
constexpr unsigned kRuns = 9;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Seconds {
  double median, min, max;
};

template <class Work>
Seconds time(Work work) {
  work();
  std::vector<double> seconds;
  for (unsigned run = 0; run < kRuns; ++run) {
    const double begin = now();
    work();
    seconds.push_back(now() - begin);
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[kRuns / 2], seconds.front(), seconds.back()};
}

void print(const char* name, Seconds seconds, const char* end = ",\n") {
  std::printf("\"%s\": [%.9g, %.9g, %.9g]%s", name, seconds.median, seconds.min, seconds.max, end);
}

Device model() { return IPUModel("ipu2").createDevice(); }

// A graph of small vertices, dealt to the tiles in turn, on one compute set.
ComputeSet add_vertices(Graph& graph, const std::string& codelets, std::size_t vertices) {
  graph.addCodelets(codelets);
  Tensor total = graph.addVariable(INT, {vertices}, "total");
  ComputeSet compute_set = graph.addComputeSet("count");
  for (unsigned tile = 0; tile < kTiles; ++tile)
    graph.setTileMapping(total.slice(tile * vertices / kTiles, (tile + 1) * vertices / kTiles),
                         tile);
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    for (std::size_t i = tile * vertices / kTiles; i < (tile + 1) * vertices / kTiles; ++i) {
      VertexRef vertex = graph.addVertex(compute_set, "Count");
      graph.connect(vertex["total"], total[i]);
      graph.setTileMapping(vertex, tile);
    }
  }
  graph.createHostRead("total", total);
  return compute_set;
}

// Every vertex has counted its runs; anything else ends the program.
void check(Engine& engine, std::size_t vertices, int expected) {
  std::vector<int> total(vertices);
  engine.readTensor("total", total.data(), total.data() + vertices);
  for (int value : total) {
    if (value == expected) continue;
    std::fprintf(stderr, "emulator_bars: total: expected %d, got %d\n", expected, value);
    std::exit(1);
  }
}

void million_vertices(const std::string& codelets) {
  constexpr std::size_t kVertices = 1000000;
  const Device device = model();
  const double begin = now();
  Graph graph(device.getTarget());
  ComputeSet compute_set = add_vertices(graph, codelets, kVertices);
  const double built = now();
  Engine engine(graph, Execute(compute_set));
  engine.load(device);
  const double compiled = now();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  print("million_build_s", {built - begin, built - begin, built - begin});
  print("million_compile_s", {compiled - built, compiled - built, compiled - built});
  std::printf("\"million_peak_bytes\": %ld,\n", usage.ru_maxrss * 1024L);
  print("million_execute_s", time([&] { engine.run(); }));
  check(engine, kVertices, kRuns + 1);
}

void thousand_supersteps(const std::string& codelets) {
  constexpr std::size_t kVertices = kTiles * kWorkers, kSupersteps = 1000;
  const Device device = model();
  Graph graph(device.getTarget());
  ComputeSet compute_set = add_vertices(graph, codelets, kVertices);
  Engine engine(graph, Repeat(kSupersteps, Execute(compute_set)));
  engine.load(device);
  print("thousand_supersteps_s", time([&] { engine.run(); }));
  check(engine, kVertices, kSupersteps * (kRuns + 1));
}

// A copy between views of [rows, columns] floats next to memcpy of the same bytes.
template <class View>
void copy(const char* name, std::size_t rows, std::size_t columns, View view) {
  const Device device = model();
  Graph graph(device.getTarget());
  Tensor from = graph.addVariable(FLOAT, {rows, columns}, VariableMappingMethod::LINEAR, "from");
  Tensor to = graph.addVariable(FLOAT, {rows, columns}, VariableMappingMethod::LINEAR, "to");
  const Tensor seen = view(from);
  const Tensor target = to.flatten().slice(0, seen.numElements());
  graph.createHostWrite("from", from);
  graph.createHostRead("seen", seen);
  graph.createHostRead("target", target);
  Engine engine(graph, Copy(seen, target.reshape(seen.shape())));
  engine.load(device);
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i % 9973);
  engine.writeTensor("from", values.data(), values.data() + values.size());
  print(name, time([&] { engine.run(); }));
  std::vector<float> expected(seen.numElements()), got(seen.numElements());
  engine.readTensor("seen", expected.data(), expected.data() + expected.size());
  engine.readTensor("target", got.data(), got.data() + got.size());
  if (got != expected) {
    std::fprintf(stderr, "emulator_bars: %s: expected the source's elements, got others\n", name);
    std::exit(1);
  }
}

void copies() {
  constexpr std::size_t kRows = 4096, kColumns = 4096, kBytes = kRows * kColumns * 4;
  std::vector<char> from(kBytes, 1), to(kBytes, 2);
  print("memcpy_s", time([&] { std::memcpy(to.data(), from.data(), kBytes); }));
  std::printf("\"copy_bytes\": %zu,\n", kBytes);
  copy("copy_whole_s", kRows, kColumns, [](Tensor t) { return t; });
  copy("copy_half_rows_s", kRows, kColumns, [](Tensor t) { return t.slice(0, kColumns / 2, 1); });
  copy("copy_16_columns_s", kRows, kColumns, [](Tensor t) { return t.slice(0, 16, 1); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: emulator_bars CODELETS.cpp\n");
    return 2;
  }
  std::printf("{\n");
  million_vertices(argv[1]);
  thousand_supersteps(argv[1]);
  copies();
  std::printf("\"runs\": %u}\n", kRuns);
  return 0;
}
