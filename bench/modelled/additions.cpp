// Modelled cycles of popops::add of so many floats on each of some tiles: one number.
//
//   g++ -O2 -std=c++17 additions.cpp -I PREFIX/include -L PREFIX/lib -lpopops -lpoplar
//   ./a.out TILES FLOATS
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>

using namespace poplar;

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const unsigned tiles = unsigned(std::atoi(arguments[1]));
  const auto floats = std::size_t(std::atoi(arguments[2]));
  Graph graph(IPUModel("ipu21").createDevice().getTarget());
  popops::addCodelets(graph);
  const Tensor left = graph.addVariable(FLOAT, {tiles, floats}, "left");
  const Tensor right = graph.addVariable(FLOAT, {tiles, floats}, "right");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    graph.setTileMapping(left[tile], tile);
    graph.setTileMapping(right[tile], tile);
  }
  program::Sequence sum;
  popops::add(graph, left, right, sum, "sum");
  const Tensor cycles = cycleCount(graph, sum, 0, SyncType::INTERNAL);
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, sum);
  engine.load(IPUModel("ipu21").createDevice());
  engine.run();
  std::uint32_t counted[2];
  engine.readTensor("cycles", counted, counted + 2);
  std::cout << counted[0] << '\n';
}
