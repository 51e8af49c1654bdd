// WriteUndef with and without the strict mode, and an executable compiled without it.
#include <cstdint>
#include <cstdio>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>

using namespace poplar;

int main() {
  IPUModel model;
  model.tilesPerIPU = 2;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  const Tensor x = graph.addVariable(UNSIGNED_INT, {3}, "x");
  graph.setTileMapping(x, 0);
  graph.setInitialValue<unsigned>(x, {7, 7, 7});
  graph.createHostRead("x", x);
  const program::WriteUndef forget(x.slice(1, 2));

  for (const bool strict : {false, true}) {
    Engine engine(graph, forget, {{"emulator.strict", strict ? "true" : "false"}});
    engine.loadAndRun(device);
    uint32_t values[3];
    engine.readTensor("x", values, values + 3);
    std::printf("{\"error\": \"%s\", \"text\": \"%x %x %x\"}\n", strict ? "undefined" : "normal",
                values[0], values[1], values[2]);
  }
  try {
    Engine(compileGraph(graph, {forget}, {{"emulator.strict", "false"}}),
           {{"emulator.strict", "true"}});
  } catch (const std::exception& e) {
    std::printf("{\"error\": \"executable\", \"text\": \"%s\"}\n", e.what());
  }
}
